/** A text around the first place of a word, or undefined where it isn't: a pattern with what stands before it takes seconds for a long log. */
export function around(text: string, word: string): string | undefined {
  const at = text.indexOf(word);
  return at < 0 ? undefined : text.slice(Math.max(0, at - 300), at + 300);
}
