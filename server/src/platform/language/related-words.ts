import { readFileSync } from 'node:fs';
import { LINES } from './concepts.ts';
import { BASE } from './irregular-words.ts';
import { stemOf } from './words.ts';

const TABLE = new URL('./related-words.txt', import.meta.url);
/** So many related words are looked for beside one word. */
const MOST = 30;

let table: ReadonlyMap<string, readonly string[]> | undefined;

/**
 * English words that are related to a word: its other forms that no rule of endings finds (“bought” and “buy”), what the table has for it,
 * and where it names a matter of everyday talk, what belongs to that: “pet” leads to “dog”, as in recall. Nothing for words of other
 * languages.
 */
export function relatedWords(word: string): readonly string[] {
  table ??= readTable();
  const related = new Set(table.get(stemOf(word)));
  related.delete(word);
  return [...related].slice(0, MOST);
}

/** Whether a word is one that the table knows: it is spelled right then. */
export function isKnownWord(word: string): boolean {
  table ??= readTable();
  return table.has(stemOf(word));
}

function readTable(): Map<string, string[]> {
  const found = new Map<string, string[]>();
  const add = (word: string, others: readonly string[]) => {
    const stem = stemOf(word);
    found.set(stem, [...(found.get(stem) ?? []), ...others]);
  };
  for (const [form, base] of BASE) {
    add(base, [base, form]);
  }
  for (const line of readFileSync(TABLE, 'utf8').split('\n')) {
    const [word = '', ...others] = line.split(' ');
    if (/^[a-z]/.test(word)) add(word, others);
  }
  for (const [first = '', ...others] of LINES)
    add(
      first,
      others.filter((word) => /^[a-z]+$/.test(word)),
    );
  return found;
}
