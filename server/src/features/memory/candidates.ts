import type { Gathered } from './gather.ts';
import type { Rows } from './rows.ts';
import { TRAIT } from './traits.ts';

/** The share of the query's weight, in words or in character runs, that a turn or the turn before it has to hold. */
const FLOOR = { words: 0.05, grams: 0.1 };
/** So many of the rows that hold the most of the query are looked at closely; the others cannot win. */
const DIRECT_MAX = 1_000;
const BINS = 512;

/**
 * The rows that are looked at closely: those that hold enough of the query, and what follows them, since an answer need not repeat
 * its question. Each row's place among them stands in `sums.slot`.
 */
export function chooseCandidates(rows: Rows, gathered: Gathered): number[] {
  const { sums } = gathered;
  const direct: number[] = [];
  const wordFloor = gathered.wordWhole === 0 ? Infinity : FLOOR.words * gathered.wordWhole;
  const gramFloor = gathered.gramWhole === 0 ? Infinity : FLOOR.grams * gathered.gramWhole;
  for (let i = 0; i < sums.count; i += 1) {
    const row = sums.touched[i] ?? 0;
    if ((sums.wordShare[row] ?? 0) >= wordFloor || (sums.gramShare[row] ?? 0) >= gramFloor) direct.push(row);
  }
  const best = direct.length <= DIRECT_MAX ? direct : strongest(direct, gathered);
  const candidates: number[] = [];
  const mode = (globalThis as any).MODE ?? 0;
  const take = (row: number) => {
    sums.touch(row);
    if ((sums.slot[row] ?? -1) >= 0) return;
    sums.slot[row] = candidates.length;
    candidates.push(row);
  };
  for (const row of best) take(row);
  if (mode >= 1) for (const row of best) { for (const r of [rows.next[row]!, rows.next[rows.next[row]!] ?? -1, rows.previous[row]!]) if (r >= 0) take(r); }
  if (mode === 3) for (const row of best) { let p = row, n = row; for (let i = 0; i < 4; i++) { if (p >= 0) { p = rows.previous[p]!; if (p >= 0) take(p); } if (n >= 0) { n = rows.next[n]!; if (n >= 0) take(n); } } }
  if (mode === 2) for (let r = 0; r < rows.size; r += 1) take(r);
  for (const row of best) {
    const next = rows.next[row] ?? -1;
    const traits = rows.traits[row] ?? 0;
    // Unless the agent asked, its turn ends an exchange.
    if (next >= 0 && ((traits & TRAIT.agent) === 0 || (traits & TRAIT.asks) !== 0 || rows.speaker[row] !== 0)) take(next);
  }
  return candidates;
}

/** How near a row is to the query by its own text, from 0 to 1. */
export function nearness({ sums, bestWords, bestGrams }: Gathered, row: number): number {
  if (!sums.holds(row)) return 0;
  const words = bestWords === 0 ? 0 : (sums.words[row] ?? 0) / bestWords;
  const grams = bestGrams === 0 ? 0 : (sums.grams[row] ?? 0) / bestGrams;
  return (2 * words + grams) / 3;
}

/** About the best so many, found by counting instead of sorting. */
function strongest(direct: number[], gathered: Gathered): number[] {
  const bins = new Uint32Array(BINS + 1);
  const binOf = (row: number) => Math.floor(nearness(gathered, row) * BINS);
  for (const row of direct) {
    const bin = binOf(row);
    bins[bin] = (bins[bin] ?? 0) + 1;
  }
  let bin = BINS;
  for (let kept = bins[bin] ?? 0; bin > 0 && kept + (bins[bin - 1] ?? 0) <= DIRECT_MAX; kept += bins[bin] ?? 0) bin -= 1;
  const strong = direct.filter((row) => binOf(row) >= bin);
  // Where one bin holds them all, they are alike, and the latest are as good as any.
  return strong.length > 0 ? strong : direct.slice(-DIRECT_MAX);
}
