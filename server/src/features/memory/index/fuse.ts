import type { Gathered } from './gather.ts';
import type { MemoryIndex } from './memory-index.ts';
import type { Rows } from './rows.ts';
import { SIGNALS, type Signal, WIDTH } from './signals.ts';
import { TRAIT } from './traits.ts';
import { WEIGHTS } from './weights.ts';

/** The weights as a vector, in the order of the signals. */
export const vectorOf = (weights: Record<Signal, number>) => Float64Array.from(SIGNALS, (name) => weights[name]);
const VECTOR = vectorOf(WEIGHTS);

/** Taken off an agent's statement or a person's question, unless the memory names its speakers: then both are people. */
const AGENT_LOSS = 1.5;
const QUESTION_LOSS = 0.6;
/** Drop memories whose sum is this far below the best. */
const BEHIND = 8;
/** The same for memories that are only neighbours of a match, or in its session. */
const BESIDE = 5;
/** With fewer words than this, a greeting or thanks says nothing else. */
const FEW = 4;
/** The sum that gives a score of one half. */
const HALF = 5;

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
    sum -= loss(rows, row);
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
    .map(({ row, sum }) => ({ row, score: 1 / (1 + Math.exp(HALF - sum)) }));
}

const says = (rows: Rows, row: number, trait: number) => ((rows.traits[row] ?? 0) & trait) !== 0;

/** Whether a row that doesn't match by itself may belong to one that does. */
function belongs(rows: Rows, row: number): boolean {
  if (says(rows, row, TRAIT.replies) && (rows.length[row] ?? 0) < FEW) return false;
  // An agent's turn ends an exchange, unless it asks something.
  const previous = rows.previous[row] ?? -1;
  return (
    rows.speaker[row] !== 0 ||
    (previous >= 0 && (!says(rows, previous, TRAIT.agent) || says(rows, previous, TRAIT.asks)))
  );
}

function loss(rows: Rows, row: number): number {
  if (rows.speaker[row] !== 0) return 0;
  if (says(rows, row, TRAIT.agent)) return AGENT_LOSS;
  return says(rows, row, TRAIT.asks) ? QUESTION_LOSS : 0;
}
