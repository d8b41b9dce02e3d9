import type { Gathered } from './gather.ts';
import type { MemoryIndex } from './ranking.ts';
import type { Rows } from './rows.ts';
import { SIGNALS, type Signal, WIDTH } from './signals.ts';
import { TRAIT } from './traits.ts';
import { WEIGHTS } from './weights.ts';

/** Weights as the ranking reads them. */
export const vectorOf = (weights: Record<Signal, number>) => Float64Array.from(SIGNALS, (name) => weights[name]);
const VECTOR = vectorOf(WEIGHTS);

/** Taken off where the agent said it, or the person only asked it, unless speakers are named: then two people talk. */
const AGENT_LOSS = 1.2;
const QUESTION_LOSS = 0.6;
/** Nothing is given that is so much less likely than the best. */
const BEHIND = 6;
/** The sum at which a score is one half. */
const HALF = 5;

export interface Fusing {
  limit: number;
  /** The number of the only session that counts. */
  session?: number | undefined;
  /** Other weights than the product's, for measuring. */
  vector?: Float64Array;
}

/** The best candidates by the weighted sum of their signals, as scores from 0 to 1. */
export function fuse({ rows }: MemoryIndex, { sums }: Gathered, values: Float32Array, fusing: Fusing) {
  const { limit, session, vector = VECTOR } = fusing;
  const found: { row: number; sum: number }[] = [];
  let best = -Infinity;
  for (let c = 0; c < sums.chosen; c += 1) {
    const row = sums.candidates[c] ?? 0;
    if (session !== undefined && rows.session[row] !== session) continue;
    let sum = 0;
    for (let s = 0, at = c * WIDTH; s < WIDTH; s += 1, at += 1) sum += (vector[s] ?? 0) * (values[at] ?? 0);
    sum -= loss(rows, row);
    // What is too far behind the best so far is too far behind the best.
    if (sum < best - BEHIND) continue;
    best = Math.max(best, sum);
    found.push({ row, sum });
  }
  return found
    .filter(({ sum }) => sum >= best - BEHIND)
    .sort((a, b) => b.sum - a.sum || b.row - a.row)
    .slice(0, limit)
    .map(({ row, sum }) => ({ row, score: 1 / (1 + Math.exp(HALF - sum)) }));
}

function loss(rows: Rows, row: number): number {
  if (rows.speaker[row] !== 0) return 0;
  const traits = rows.traits[row] ?? 0;
  if ((traits & TRAIT.agent) !== 0) return AGENT_LOSS;
  return (traits & TRAIT.asks) !== 0 ? QUESTION_LOSS : 0;
}
