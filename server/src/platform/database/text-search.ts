import { type SQL, sql } from 'drizzle-orm';
import { searchable } from './columns.ts';

const WORDS_MAX = 12;

/** The words that somebody searches for, lowercased, at most twelve of them. */
export const searchWords = (typed: string): string[] =>
  (
    typed
      .normalize('NFKC')
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? []
  ).slice(0, WORDS_MAX);

/** All words, the last one perhaps not typed to its end. The words hold letters and digits only, so nothing in them is an operator. */
export function allWords(words: readonly string[]): SQL {
  const terms = words.map((word, i) => `'${word}'${i === words.length - 1 ? ':*' : ''}`);
  return sql`to_tsquery('english'::regconfig, ${terms.join(' & ')})`;
}

/** Whether the indexed words of a text fit a query. */
export const matches = (text: SQL, query: SQL): SQL => sql`${searchable(text)} @@ ${query}`;

/** How well they fit, higher is better. */
export const rankOf = (text: SQL, query: SQL): SQL<number> => sql<number>`ts_rank(${searchable(text)}, ${query})`;

const START = '\u0002';
const STOP = '\u0003';
const PASSAGE = `StartSel=${START}, StopSel=${STOP}, MaxFragments=1, MaxWords=26, MinWords=10`;

/** The part of a text that fits best, with marks around what was found; `passageParts` reads it. */
export const passageOf = (text: SQL, query: SQL): SQL<string> =>
  sql<string>`ts_headline('english'::regconfig, left(${text}, 40000), ${query}, ${PASSAGE})`;

/** A marked passage in parts, in order. */
export function passageParts(marked: string): { text: string; hit: boolean }[] {
  const parts = marked.split(new RegExp(`${START}([^${START}${STOP}]*)${STOP}`, 'u'));
  return parts.map((text, i) => ({ text, hit: i % 2 === 1 })).filter((part) => part.text !== '');
}
