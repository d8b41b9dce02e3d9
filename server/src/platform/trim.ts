/** Removes trailing characters that match a one-character pattern. `/x+$/` would start again at each x. */
export function dropEnd(text: string, sign: RegExp): string {
  let end = text.length;
  while (end > 0 && sign.test(text[end - 1] ?? '')) end -= 1;
  return text.slice(0, end);
}

/** The same at the beginning. */
export function dropStart(text: string, sign: RegExp): string {
  let start = 0;
  while (start < text.length && sign.test(text[start] ?? '')) start += 1;
  return text.slice(start);
}
