import { and, or, type SQL, sql } from 'drizzle-orm';
import type { PgTable } from 'drizzle-orm/pg-core';
import { UNSPACED } from '../language/words.ts';

const WORDS_MAX = 12;

/** The words of a search, in lower case, at most twelve. */
export const searchWords = (typed: string): string[] =>
  (
    typed
      .normalize('NFKC')
      .toLowerCase()
      .match(/[\p{L}\p{M}\p{N}]+/gu) ?? []
  ).slice(0, WORDS_MAX);

/** A text in which `%`, `_` and `\\` mean themselves. */
const literally = (text: string) => text.replaceAll(/[\\%_]/gu, String.raw`\$&`);

/** A word as a text may have it: `ilike` knows no composed letters and, in the locale C, ignores the case of ASCII only. */
function spellings(word: string): string[] {
  if (Buffer.byteLength(word) === word.length) return [word];
  const [first = '', ...rest] = word.toLowerCase();
  const cased = [word, word.toLowerCase(), first.toUpperCase() + rest.join(''), word.toUpperCase()];
  return [...new Set(cased.flatMap((one) => [one.normalize('NFC'), one.normalize('NFD')]))];
}

/** Whether a text contains each of the first twelve words that were typed, of whatever script: inside longer words too. */
export function containsWords(text: SQL, typed: string): SQL | undefined {
  const words = typed.split(/\s+/u).filter((word) => word !== '');
  const contains = (word: string) =>
    or(...spellings(word).map((spelling) => sql`${text} ilike ${`%${literally(spelling)}%`}`));
  return and(...words.slice(0, WORDS_MAX).map(contains));
}

/** A word of a search; a list means any of its words. */
export type Term = string | readonly string[];

/**
 * The words of a search in scripts without blanks: what the database takes for one word is a whole clause, and a word stands inside it.
 * Related words are of others, so of a list the first counts.
 */
export const unspacedOf = (terms: readonly Term[]): string[] =>
  terms.flatMap((term) => [term].flat()[0] ?? []).filter((word) => UNSPACED.test(word));

/** Korean words are found with whatever particles are joined to them. */
const JOINED = /^\p{Script=Hangul}{2,}$/u;
const lexeme = (word: string, begun = false) => `'${word}'${begun || JOINED.test(word) ? ':*' : ''}`;

/**
 * All terms but those of `unspacedOf`, the last one perhaps a prefix. Words contain only letters and digits, so nothing in them is an
 * operator. A subquery, because then the planner doesn't see the words and plans every search alike, with statistics and without.
 */
export function allWords(words: readonly Term[], last: 'begun' | 'whole' = 'begun'): SQL {
  const terms = words.flatMap((term, i) => {
    if (unspacedOf([term]).length > 0) return [];
    if (typeof term !== 'string') return `(${term.map((word) => lexeme(word)).join(' | ')})`;
    return lexeme(term, last === 'begun' && i === words.length - 1);
  });
  return sql`(select to_tsquery('english'::regconfig, ${terms.join(' & ')}))`;
}

// Searched tables have a generated column `words`, created by a migration and not part of any `select()`. It contains the words of the
// row's text and marks of who may find it, so an index needs to look at no other rows.

/** The mark of an owner's rows. */
export const ofOwner = (uid: string): string => `of ${uid}`;
/** The mark of what everyone may find. */
export const FOR_ALL = 'for all';

/** The search for a mark. Words never contain a space, so no text can look like a mark. */
export const markedWith = (mark: string): SQL => sql`(select ${`'${mark.replaceAll(/['\\]/gu, '$&$&')}'`}::tsquery)`;

/** A word as texts without blanks have it: their letters and digits are often as wide as their signs. */
function widths(word: string): string[] {
  const wide = (text: string) =>
    text.replaceAll(/[\da-z]/gi, (sign) => String.fromCharCode(sign.charCodeAt(0) + 0xfee0));
  return [...new Set([word, wide(word), wide(word.toUpperCase())])];
}

/** Whether a row has all terms. */
export function fitsWords(table: PgTable, terms: readonly Term[]): SQL {
  const inside = unspacedOf(terms).map((word) => {
    const stands = widths(word).map((spelling) => sql`${table}.words::text like ${`%${spelling}%`}`);
    return sql`(${sql.join(stands, sql` or `)})`;
  });
  const all = inside.length < terms.length ? [sql`${table}.words @@ ${allWords(terms)}`, ...inside] : inside;
  return sql`(${sql.join(all, sql` and `)})`;
}

/** How well they match; higher is better. */
export const rankOf = (table: PgTable, terms: readonly Term[]): SQL<number> =>
  sql<number>`ts_rank(${table}.words, ${allWords(terms)})`;

const START = '\u0002';
const STOP = '\u0003';
const PASSAGE = `StartSel=${START}, StopSel=${STOP}, MaxFragments=1, MaxWords=26, MinWords=10`;

/** The part of a text that matches best, with the matches marked; `passageParts` parses it. */
export function passageOf(text: SQL, terms: readonly Term[]): SQL<string> {
  const [word] = unspacedOf(terms);
  if (word === undefined)
    return sql`ts_headline('english'::regconfig, left(${text}, 40000), ${allWords(terms)}, ${PASSAGE})`;
  const size = sql`length(${word}::text)`;
  const at = sql`greatest(${sql.join(
    widths(word).map((spelling) => sql`strpos(lower(t), ${spelling}::text)`),
    sql`, `,
  )})`;
  const marked = sql`substr(t, greatest(at - 60, 1), least(at - 1, 60)) || ${START}::text || substr(t, at, ${size}) || ${STOP}::text
    || substr(t, at + ${size}, 60)`;
  return sql`(select case at when 0 then left(t, 120) else ${marked} end
    from (select t, ${at} as at from (select ${text} as t) whole) found)`;
}

/** A marked passage in parts, in order. */
export function passageParts(marked: string): { text: string; hit: boolean }[] {
  const parts = marked.split(new RegExp(`${START}([^${START}${STOP}]*)${STOP}`, 'u'));
  return parts.map((text, i) => ({ text, hit: i % 2 === 1 })).filter((part) => part.text !== '');
}
