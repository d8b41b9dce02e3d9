import type { Signal } from './signals.ts';

/**
 * What each signal adds to the logarithm of a memory's likelihood of being the answer. Learned by `bench/learn-memory.ts` on the
 * development half of LoCoMo; docs/measurements/memory-ranking.md has the effect of each. Signals that overlap share their weight, so one
 * of them may be negative.
 */
export const WEIGHTS: Record<Signal, number> = {
  /** BM25 of the words' stems, without speakers' names; the windows below contain the row's own words too. */
  words: -0.38,
  /** BM25 of runs of four characters: finds other endings and spellings, in any script. */
  grams: 1.4,
  /** BM25 of the everyday concepts that the words imply: a dog is a pet. */
  concepts: 0.48,
  /** The same over five turns. */
  conceptWindow: 0.66,
  /** The query's words in this turn and the one before. */
  pairWindow: 1.32,
  /** In this turn, the one before and the one after. */
  window3: 0.32,
  /** In six turns. */
  window6: 1.45,
  /** In fourteen turns. */
  window14: 0.82,
  /** In the whole session. */
  session: 1.2,
  /** The turn before matches the query: usually a statement that ends there. */
  previous: -0.72,
  /** The turn before that, by the same speaker, matches. */
  previous2: 1.19,
  /** The turn before is a question that matches: this is its answer. */
  answers: 2.12,
  /** The turn before that is a question that matches: this one may only ask back. */
  answers2: -1.25,
  /** Words that the best turns share beyond the query. */
  feedback: 0.8,
  /** The query names the person who said this. */
  named: 0.93,
  /** The query asks when, and this contains a time. */
  time: 1.27,
  /** The query asks how many, and this has a number. */
  number: 1.39,
  /** The query asks where, and this has a name. */
  place: 0.83,
  /** Said on a day that the query names. */
  dateSaid: 4.52,
  /** Said within two weeks after that day. */
  dateAfter: 1.42,
  /** Mentions that day: “last Friday” counts from when it was said. */
  dateTold: 0.55,
  /** Opens its session: news come first. */
  first: 0.88,
  /** The text is long. */
  length: -0.71,
  /** Has many rare words. */
  tells: 0.93,
  /** The text is a question. */
  asks: -0.56,
  /** Begins with a greeting, thanks or praise. */
  replies: -0.15,
  /** Speaks of the speaker: “I”, “my”, “we”. */
  self: 0.26,
};
