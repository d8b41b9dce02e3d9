import type { PostingSums } from './gather.ts';
import type { MemoryIndex } from './memory-index.ts';
import type { Rows } from './rows.ts';
import { SIGNALS, type Signal, WIDTH } from './signals.ts';
import { TRAIT } from './traits.ts';

/**
 * What each signal adds to the logarithm of a memory's likelihood of being the answer. Learned by `npm run bench:memory -- --learn`, which starts
 * from equal weights; `signals.ts` explains each.
 */
const WEIGHTS: Record<Signal, number> = {
  grams: 1.26,
  concepts: 0.79,
  pair: 1.14,
  window: 1.12,
  session: 1.01,
  answers: 1.57,
  reply: 1.09,
  earlier: 1.15,
  fits: 1.48,
  date: 2.34,
  first: 1.66,
  length: 1.21,
  states: 0.42,
  person: 1.22,
};

/** The weights in the order of the signals. */
export const VECTOR = Float64Array.from(SIGNALS, (name) => WEIGHTS[name]);

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

export interface Ranked {
  id: string;
  /** 0 to 1, comparable within one answer. */
  score: number;
  /** Later memories of the same person that may replace this one; their texts decide. */
  rivals: string[];
  /** Other memories in the same words, which can stand in for this one if it is gone. */
  repeats: string[];
}

export interface Fusing {
  /** How many at least; without it, all. */
  limit?: number;
  /** The number of the only session to search. */
  session?: number | undefined;
  /** Replaces the product's weights, for measuring. */
  weights?: Float64Array | undefined;
}

/** The sums of the candidates, in their order, kept between queries. */
let totals = new Float64Array(0);

/** The best candidates by the weighted sum of their signals, with scores from 0 to 1. */
export function fuse({ rows }: MemoryIndex, { sums }: PostingSums, values: Float32Array, fusing: Fusing) {
  const { limit = Infinity, session, weights = VECTOR } = fusing;
  const { candidates, direct, chosen } = sums;
  if (chosen > totals.length) totals = new Float64Array(chosen * 2);
  const near: number[] = [];
  let best = -Infinity;
  for (let c = 0; c < chosen; c += 1) {
    const row = candidates[c] ?? 0;
    if (session !== undefined && rows.session[row] !== session) continue;
    if (c >= direct && !belongs(rows, row)) continue;
    let sum = 0;
    for (let s = 0, at = c * WIDTH; s < WIDTH; s += 1, at += 1) sum += (weights[s] ?? 0) * (values[at] ?? 0);
    totals[c] = sum;
    // The best can only rise, so this row is too far behind already.
    if (sum < best - (c < direct ? BEHIND : BESIDE)) continue;
    best = Math.max(best, sum);
    near.push(c);
  }
  const nearest = near.filter((c) => (totals[c] ?? 0) >= best - (c < direct ? BEHIND : BESIDE));
  return bestFirst(nearest, candidates, limit).map((c) => ({
    row: candidates[c] ?? 0,
    score: scoreOf(totals[c] ?? 0),
  }));
}

/** Candidates by their sums, at least `limit` of them. Few are wanted of thousands, and only those are sorted. */
function bestFirst(nearest: number[], candidates: Int32Array, limit: number): number[] {
  if (nearest.length > limit) {
    const least =
      Float64Array.from(nearest, (c) => totals[c] ?? 0)
        .sort()
        .at(-limit) ?? -Infinity;
    nearest = nearest.filter((c) => (totals[c] ?? 0) >= least);
  }
  return nearest.sort((a, b) => (totals[b] ?? 0) - (totals[a] ?? 0) || (candidates[b] ?? 0) - (candidates[a] ?? 0));
}

/** Whether a row that doesn't match by itself may belong to one that does: thanks and greetings don't. */
const belongs = ({ traits, length }: Rows, row: number): boolean =>
  ((traits[row] ?? 0) & TRAIT.replies) === 0 || (length[row] ?? 0) >= FEW;
