/** Whether a text has every word of what was typed, in any case; nothing typed is in every text. */
export function hasWords(text: string, typed: string): boolean {
  const fold = (some: string) => some.normalize('NFC').toLowerCase();
  const folded = fold(text);
  return fold(typed)
    .split(/\s+/u)
    .every((word) => folded.includes(word));
}
