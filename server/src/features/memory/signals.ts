import { type Bm25, saturate } from './postings.ts';
import type { MemoryIndex, Row } from './ranking.ts';

export interface Query {
  stems: string[];
  grams: string[];
  /** Speakers whom the query names. */
  named: Set<string>;
  asksWhen: boolean;
}

/**
 * What each signal adds to a memory's score. Every signal lies between 0 and 1 (a text signal is divided by the query's best), so
 * the weights compare. Found by coordinate search on the development conversations; docs/decisions/0005-memory.md has what each gives.
 */
export const WEIGHTS = {
  /** Runs of four characters in common: finds other endings and spellings, and any script. */
  grams: 0.5,
  /** Words in common with the six turns around. */
  window: 0.4,
  /** Words in common with the whole session. */
  session: 0.2,
  /** The turn before matches. */
  previous: 0.2,
  /** The turn after matches. */
  next: 0.1,
  /** The turn before is a question that matches: this is its answer. */
  answers: 0.4,
  /** The query names whoever said this. */
  named: 0.17,
  /** The query asks when, and this tells a time. */
  time: 0.2,
  /** Words that the best matches share beyond the query (pseudo-relevance feedback). */
  feedback: 0.27,
  /** Longer turns tell more. */
  length: 0.1,
  /** Questions tell little. */
  asks: -0.07,
} as const;

type Signal = keyof typeof WEIGHTS;
export type Signals = Record<Signal, Float64Array>;

const TURN: Bm25 = { k1: 0.9, b: 0.4 };
const SESSION: Bm25 = { k1: 1.2, b: 0.6 };
const WINDOW = { before: 3, after: 2 };
const FEEDBACK = { rows: 5, terms: 8 };
const FULL_LENGTH = 20;

/** The score of every memory under every signal. */
export function scoreSignals(index: MemoryIndex, query: Query): Signals {
  const topic = query.stems.filter((s) => !query.named.has(s));
  const grams = byBest(index.grams.score(query.grams, TURN));
  const words = byBest(index.words.score(topic, TURN));
  const near = byBest(grams.map((g, row) => 0.5 * g + (words[row] ?? 0)));
  const rowSignal = (value: (row: number) => number) => new Float64Array(index.rows.length).map((_, row) => value(row));
  const beside = (row: number, by: number) => {
    const other = index.neighbour(row, by) ?? -1;
    return (near[other] ?? 0) * kindFactor(index.rows[other]);
  };
  const asked = (row: number) => {
    const before = index.neighbour(row, -1) ?? -1;
    return index.rows[before]?.asks ? (near[before] ?? 0) : 0;
  };
  return {
    grams,
    window: byBest(scoreWindows(index, topic)),
    session: scoreSessions(index, query.stems),
    previous: rowSignal((row) => beside(row, -1)),
    next: rowSignal((row) => beside(row, 1)),
    answers: rowSignal(asked),
    named: rowSignal((row) => (query.named.has(index.rows[row]?.speaker ?? '') ? 1 : 0)),
    time: rowSignal((row) => (query.asksWhen && index.rows[row]?.tellsTime ? 1 : 0)),
    feedback: byBest(scoreFeedback(index, query, near)),
    length: rowSignal((row) => Math.min(1, (index.rows[row]?.stems.length ?? 0) / FULL_LENGTH)),
    asks: rowSignal((row) => (index.rows[row]?.asks ? 1 : 0)),
  };
}

/** BM25 over the turns around each turn of its session, as if they were one text. */
function scoreWindows(index: MemoryIndex, terms: string[]): Float64Array {
  const scores = new Float64Array(index.rows.length);
  const counts = new Float64Array(index.rows.length);
  const size = WINDOW.before + WINDOW.after + 1;
  for (const term of new Set(terms)) {
    const touched: number[] = [];
    index.words.each(term, (row, said) => {
      const count = said * kindFactor(index.rows[row]);
      for (let by = -WINDOW.after; by <= WINDOW.before; by += 1) {
        const target = index.neighbour(row, by);
        if (target === undefined) continue;
        if (counts[target] === 0) touched.push(target);
        counts[target] = (counts[target] ?? 0) + count;
      }
    });
    const idf = index.words.idf(term);
    for (const row of touched) {
      scores[row] = (scores[row] ?? 0) + idf * saturate(counts[row] ?? 0, size, size, TURN);
      counts[row] = 0;
    }
  }
  return scores;
}

/** BM25 over sessions as texts, handed to each of their turns. */
function scoreSessions(index: MemoryIndex, terms: string[]): Float64Array {
  const lengths = index.sessions.map((rows) => rows.reduce((sum, row) => sum + (index.words.lengths[row] ?? 0), 0));
  const mean = lengths.reduce((a, b) => a + b, 0) / Math.max(1, lengths.length);
  const scores = new Float64Array(index.sessions.length);
  for (const term of new Set(terms)) {
    const counts = new Map<number, number>();
    index.words.each(term, (row, count) => {
      const session = index.rows[row]?.session ?? 0;
      counts.set(session, (counts.get(session) ?? 0) + count);
    });
    const idf = Math.log(1 + (index.sessions.length - counts.size + 0.5) / (counts.size + 0.5));
    for (const [session, count] of counts) {
      scores[session] = (scores[session] ?? 0) + idf * saturate(count, lengths[session] ?? 0, mean, SESSION);
    }
  }
  const best = byBest(scores);
  return new Float64Array(index.rows.length).map((_, row) => best[index.rows[row]?.session ?? 0] ?? 0);
}

/** The words that the nearest turns have in common beyond the query, searched for in turn. */
function scoreFeedback(index: MemoryIndex, query: Query, near: Float64Array): Float64Array {
  const known = new Set(query.stems);
  const gain = new Map<string, number>();
  for (const row of topRows(near, FEEDBACK.rows)) {
    for (const term of new Set(index.rows[row]?.stems)) {
      if (known.has(term) || index.speakers.has(term)) continue;
      gain.set(term, (gain.get(term) ?? 0) + (near[row] ?? 0) * index.words.idf(term));
    }
  }
  const terms = [...gain].sort((a, b) => b[1] - a[1]).slice(0, FEEDBACK.terms);
  return index.words.score(
    terms.map(([term]) => term),
    TURN,
  );
}

function topRows(scores: Float64Array, count: number): number[] {
  const top: number[] = [];
  for (let row = 0; row < scores.length; row += 1) {
    const score = scores[row] ?? 0;
    if (score === 0) continue;
    const at = top.findIndex((other) => score > (scores[other] ?? 0));
    if (at !== -1) top.splice(at, 0, row);
    else if (top.length < count) top.push(row);
    if (top.length > count) top.pop();
  }
  return top;
}

function byBest(scores: Float64Array): Float64Array {
  let best = 0;
  for (const score of scores) if (score > best) best = score;
  return best === 0 ? scores : scores.map((score) => score / best);
}

const MOST = Object.values(WEIGHTS).reduce((sum, weight) => sum + Math.max(0, weight), 0);
/** What the agent itself said, which may only repeat the person or its own memory, informs less than what the person told. */
const KIND_FACTOR = { person: 1, agent: 0.4, file: 1 };
/** Where speakers are named, two people talk, and neither repeats the other. */
const kindFactor = (row: Row | undefined) => (row === undefined || row.speaker !== null ? 1 : KIND_FACTOR[row.kind]);
/** A question of the person's earlier self answers nothing. */
const QUESTION_FACTOR = 0.6;
/** The share of the query's weight, in words or in character runs, that a turn or the turn before it has to hold. */
const FLOOR = { words: 0.05, grams: 0.1 };

/** One score from 0 to 1 for each memory: the weighted sum of its signals, 0 where it has too little to do with the query. */
export function fuse(signals: Signals, index: MemoryIndex, query: Query): Float64Array {
  const direct = touches(index, query);
  const names = Object.keys(WEIGHTS) as Signal[];
  // What follows a turn that matches need not repeat its words; but unless the agent asked, its turn ends an exchange.
  const followsDirect = (row: number) => {
    const before = index.neighbour(row, -1) ?? -1;
    const said = index.rows[before];
    return direct[before] === 1 && (said?.kind !== 'agent' || said.asks);
  };
  return new Float64Array(index.rows.length).map((_, row) => {
    if (direct[row] !== 1 && !followsDirect(row)) return 0;
    let sum = 0;
    for (const name of names) sum += WEIGHTS[name] * (signals[name][row] ?? 0);
    const at = index.rows[row];
    const own = kindFactor(at) * (at?.asks && at.speaker === null ? QUESTION_FACTOR : 1);
    return Math.max(0, Math.min(1, (sum / MOST) * own));
  });
}

/** 1 for each turn that holds enough of the query itself. */
function touches(index: MemoryIndex, query: Query): Uint8Array {
  const held = new Uint8Array(index.rows.length);
  const mark = (terms: string[], postings: MemoryIndex['words'], floor: number) => {
    const distinct = [...new Set(terms)];
    const whole = distinct.reduce((sum, term) => sum + postings.idf(term), 0);
    const found = new Float64Array(index.rows.length);
    for (const term of distinct) {
      const idf = postings.idf(term);
      postings.each(term, (row) => {
        found[row] = (found[row] ?? 0) + idf;
      });
    }
    for (let row = 0; row < found.length; row += 1) if ((found[row] ?? 0) >= floor * whole && whole > 0) held[row] = 1;
  };
  mark(query.stems, index.words, FLOOR.words);
  mark(query.grams, index.grams, FLOOR.grams);
  return held;
}
