/** Each line with its position. An array of all lines would take many times the memory of the text. */
export function* linesIn(text: string): Iterable<{ line: string; start: number }> {
  for (let start = 0; ; ) {
    const end = text.indexOf('\n', start);
    yield { line: end < 0 ? text.slice(start) : text.slice(start, end), start };
    if (end < 0) return;
    start = end + 1;
  }
}
