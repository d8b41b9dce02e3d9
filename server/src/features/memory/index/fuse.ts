import type { Gathered } from './gather.ts';
import type { MemoryIndex } from './memory-index.ts';
import type { Rows } from './rows.ts';
import { SIGNALS, type Signal, WIDTH } from './signals.ts';
import { TRAIT } from './traits.ts';
import { WEIGHTS } from './weights.ts';

/** The weights as a vector, in the order of the signals. */
export const vectorOf = (weights: Record<Signal, number>) => Float64Array.from(SIGNALS, (name) => weights[name]);
const VECTOR = vectorOf(WEIGHTS);

/** Drop memories whose sum is this far below the best. */
const BEHIND = 6;
/** The same for memories that are only neighbours of a match, or in its session. */
const BESIDE = 5;
/** With fewer words than this, a greeting or thanks says nothing else. */
const FEW = 4;
/** The sum that gives a score of one half. */
const HALF = 6.5;

/** A sum of signals as a score from 0 to 1, and back. */
export const scoreOf = (sum: number) => 1 / (1 + Math.exp(HALF - sum));
export const sumOf = (score: number) => HALF - Math.log(1 / Math.min(Math.max(score, 1e-9), 1 - 1e-9) - 1);

export interface Fusing {
  /** How many; without it, all. */
  limit?: number;
  /** The number of the only session to search. */
  session?: number | undefined;
  /** Replaces the product's weights, for measuring. */
  vector?: Float64Array;
}

/** The best candidates by the weighted sum of their signals, with scores from 0 to 1. */
export function fuse({ rows }: MemoryIndex, { sums }: Gathered, values: Float32Array, fusing: Fusing) {
  const { limit, session, vector = VECTOR } = fusing;
  const found: { row: number; sum: number; behind: number }[] = [];
  let best = -Infinity;
  for (let c = 0; c < sums.chosen; c += 1) {
    const row = sums.candidates[c] ?? 0;
    if (session !== undefined && rows.session[row] !== session) continue;
    const near = c < sums.direct;
    if (!near && !belongs(rows, row)) continue;
    let sum = 0;
    for (let s = 0, at = c * WIDTH; s < WIDTH; s += 1, at += 1) sum += (vector[s] ?? 0) * (values[at] ?? 0);
    // The best can only rise, so this row is too far behind already.
    const behind = near ? BEHIND : BESIDE;
    if (sum < best - behind) continue;
    best = Math.max(best, sum);
    found.push({ row, sum, behind });
  }
  return found
    .filter(({ sum, behind }) => sum >= best - behind)
    .sort((a, b) => b.sum - a.sum || b.row - a.row)
    .slice(0, limit)
    .map(({ row, sum }) => ({ row, score: scoreOf(sum) }));
}

/** Whether a row that doesn't match by itself may belong to one that does: thanks and greetings don't. */
const belongs = ({ traits, length }: Rows, row: number): boolean =>
  ((traits[row] ?? 0) & TRAIT.replies) === 0 || (length[row] ?? 0) >= FEW;
