import type { MemoryIndex } from './memory-index.ts';
import { type Postings, rowOf } from './postings.ts';
import { TRAIT } from './traits.ts';

/** How many of a term's latest rows are checked: for a frequent subject, the last statement decides. */
const LATEST = 300;
const RIVALS = 2;
/** The share of a row's weight that another row must share. */
const SHARED = 0.25;

/** Later rows of the same person that share the most with a row and mention a change. */
export function findRivals({ rows, words, slots }: MemoryIndex, row: number): number[] {
  const traits = rows.traits[row] ?? 0;
  if ((traits & (TRAIT.agent | TRAIT.file | TRAIT.asks)) !== 0) return [];
  const shared = new Map<number, number>();
  const see = (postings: Postings, term: number, weight: number) => {
    const list = postings.list(term);
    for (let i = list.length - 1, left = LATEST; i >= 0 && left > 0; i -= 1, left -= 1) {
      const other = rowOf(list[i] ?? 0);
      if (other <= row) break;
      const claims =
        ((rows.traits[other] ?? 0) & (TRAIT.claims | TRAIT.asks)) === TRAIT.claims &&
        rows.speaker[other] === rows.speaker[row];
      if (claims) shared.set(other, (shared.get(other) ?? 0) + weight);
    }
  };
  const speaker = words.terms.find(rows.speaker[row] ?? 0);
  let whole = 0;
  for (const term of rows.stemsOf(row)) {
    if (term === speaker) continue;
    see(words, term, words.idf(term));
    whole += words.idf(term);
  }
  const slot = rows.slot[row] ?? 0;
  // Rows about the same single-valued concept are all rivals, whatever their words.
  if (slot !== 0) see(slots, slots.terms.find(slot), whole);
  return [...shared]
    .filter(([, weight]) => weight >= SHARED * whole)
    .sort((a, b) => b[1] - a[1] || b[0] - a[0])
    .slice(0, RIVALS)
    .map(([other]) => other);
}
