import type { Signal } from './signals.ts';

/**
 * What each signal adds to the logarithm of a memory's likelihood of being the answer. Learned by `npm run bench:memory -- --learn`, which starts
 * from equal weights; docs/measurements/memory-ranking.md has the data sets and the effect of each.
 */
export const WEIGHTS: Record<Signal, number> = {
  /** BM25 of runs of four characters: finds other endings and spellings, in any script. */
  grams: 1.26,
  /** BM25 of the everyday concepts that the words imply: a dog is a pet. */
  concepts: 0.79,
  /** BM25 of the query's words, without speakers' names, in this turn and the one before. */
  pair: 1.14,
  /** In this turn, three before and two after. */
  window: 1.12,
  /** In what people said in the whole session; for a message that goes on with a talk up to twice as much, with what the agent said. */
  session: 1.01,
  /** The turn before is a question that matches: this is its answer. */
  answers: 1.57,
  /** The agent's reply to it matches: that repeats and explains what the person said. */
  reply: 1.09,
  /** The turn before that, usually by the same speaker, matches. */
  earlier: 1.15,
  /** The query asks when or how many, and this has a time or a number. */
  fits: 1.48,
  /** Said on a day that the query names; less when said soon after, or when it mentions that day. */
  date: 2.34,
  /** Opens its session, with more than a greeting: news come first. */
  first: 1.66,
  /** Is long enough to tell something. */
  length: 1.21,
  /** Is no question. */
  states: 0.42,
  /** A person said it, and the query doesn't ask for the agent's words. */
  person: 1.22,
};
