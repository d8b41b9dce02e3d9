import type { Signal } from './signals.ts';

/**
 * What each signal adds to the logarithm of a memory's likelihood of being the answer. Learned by `npm run bench:memory -- --learn`, which starts
 * from equal weights; `signals.ts` explains each.
 */
export const WEIGHTS: Record<Signal, number> = {
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
