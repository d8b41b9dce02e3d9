import { readFileSync } from 'node:fs';
import { LINES } from './concepts.ts';
import { BASE, stemOf } from './stems.ts';

const TABLE = new URL('./related-words.txt', import.meta.url);
/** The most related words of one word. */
const MOST = 30;

let table: ReadonlyMap<string, readonly string[]> | undefined;

/**
 * English words related to a word: its irregular forms (“bought” and “buy”), its entries in the table, and the members of an everyday
 * concept that it names: “pet” leads to “dog”. None for words of other languages.
 */
export function relatedWords(word: string): readonly string[] {
  table ??= readTable();
  const related = new Set(table.get(stemOf(word)));
  related.delete(word);
  return [...related].slice(0, MOST);
}

/** Whether the table contains the word, so it is spelled correctly. */
export function isDictionaryWord(word: string): boolean {
  table ??= readTable();
  return table.has(stemOf(word));
}

function readTable(): Map<string, string[]> {
  const words = new Map<string, string[]>();
  const add = (word: string, others: readonly string[]) => {
    const stem = stemOf(word);
    words.set(stem, [...(words.get(stem) ?? []), ...others]);
  };
  for (const [form, base] of BASE) add(base, [base, form]);
  for (const line of readFileSync(TABLE, 'utf8').split('\n')) {
    const [word = '', ...others] = line.split(' ');
    if (/^[a-z]/.test(word)) add(word, others);
  }
  const isPlain = (word: string) => /^[a-z]+$/.test(word);
  for (const [first = '', ...others] of LINES) add(first, others.filter(isPlain));
  return words;
}
