import { z } from 'zod';

/** Why a search found something. */
export const whyFound = z.object({
  /**
   * `words`: it has the words in some form. `related`: it has related words. `spelling`: it has words with nearly the same spelling.
   * `meaning`: it is near in meaning.
   */
  by: z.enum(['words', 'related', 'spelling', 'meaning']),
  /** The words of the search that match; for `meaning`, everything that was typed. */
  words: z.array(z.string()),
  /** The matching words in the text; none for `meaning`. */
  found: z.array(z.string()),
});
export type WhyFound = z.infer<typeof whyFound>;

const quoted = (words: readonly string[]) => words.map((word) => `“${word}”`).join(', ');

/** The reason in words, for people and for models: matches “trains” by the related word “railway”. */
export function whySentence({ by, words, found }: WhyFound): string {
  if (by === 'words') return `matches ${quoted(found.length > 0 ? found : words)}`;
  const match = `matches ${quoted(words)}`;
  if (by === 'meaning' || found.length === 0) return `${match} by meaning`;
  if (by === 'spelling') return `${match}, spelled ${quoted(found)}`;
  return `${match} by the related ${found.length === 1 ? 'word' : 'words'} ${quoted(found)}`;
}
