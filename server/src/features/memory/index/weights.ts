import type { Signal } from './signals.ts';

/**
 * What each signal adds to the logarithm of a memory's likelihood of answering. Learned by `bench/learn-memory.ts` on the development
 * half of LoCoMo; docs/decisions/0009-memory-ranking.md has what each gives. Signals that measure the same thing in several ways share
 * its weight, so one of them may be negative.
 */
export const WEIGHTS: Record<Signal, number> = {
  /** BM25 of the words' stems, speakers' names left out; the windows below hold the row's own words too. */
  words: -0.38,
  /** BM25 of runs of four characters: finds other endings and spellings, and any script. */
  grams: 1.4,
  /** BM25 of the matters of everyday talk that the words stand for: a dog answers for a pet. */
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
  /** The turn before is near to the query: a statement that is not continued. */
  previous: -0.72,
  /** The turn before that, by the same speaker, is near. */
  previous2: 1.19,
  /** The turn before is a question that is near: this is its answer. */
  answers: 2.12,
  /** The turn before that is: this asks back. */
  answers2: -1.25,
  /** Words that the nearest turns share beyond the query. */
  feedback: 0.8,
  /** The query names the person who said this. */
  named: 0.93,
  /** The query asks when, and this tells a time. */
  time: 1.27,
  /** It asks how many, and this has a number. */
  number: 1.39,
  /** It asks where, and this has a name. */
  place: 0.83,
  /** Said on a day that the query names. */
  dateSaid: 4.52,
  /** Said within two weeks after it. */
  dateAfter: 1.42,
  /** Tells of that day: “last Friday” counts from when it was said. */
  dateTold: 0.55,
  /** Opens its session: news come first. */
  first: 0.88,
  /** Long. */
  length: -0.71,
  /** Has many rare words. */
  tells: 0.93,
  /** Asks. */
  asks: -0.56,
  /** Begins with a greeting, thanks or praise. */
  replies: -0.15,
  /** Speaks of the speaker: “I”, “my”, “we”. */
  self: 0.26,
};
