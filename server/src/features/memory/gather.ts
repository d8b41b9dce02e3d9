import { type Span, spansOf } from './memory-dates.ts';
import type { Postings } from './postings.ts';
import { impactOf, rowOf } from './postings.ts';
import type { Query } from './query.ts';
import type { MemoryIndex } from './ranking.ts';
import { Sums } from './sums.ts';

const sums = new Sums();

/** What the postings say of a query. The sums are those of the query asked last: read them before the next. */
export interface Gathered {
  sums: Sums;
  /** The weight of each of the query's words, by its bit. */
  idf: number[];
  /** The bits of the words that are no speaker's name. */
  topic: number;
  wordWhole: number;
  gramWhole: number;
  /** The weight of the matters that the query names. */
  conceptWhole: number;
  /** The best sums of any row; 1 where all are 0. */
  bestWords: number;
  bestGrams: number;
  /** What each session has of the query, the best one 1. */
  sessions: Float32Array;
  /** The days that the query names. */
  spans: Span[];
}

/** Walks the postings of a query's words, character runs and matters, and nothing else. */
export function gather(index: MemoryIndex, query: Query): Gathered {
  const { words, grams, concepts } = index;
  sums.begin(index.rows.size);
  const gathered: Gathered = {
    sums,
    idf: [],
    topic: 0,
    wordWhole: 0,
    gramWhole: 0,
    conceptWhole: 0,
    bestWords: 0,
    bestGrams: 0,
    sessions: index.sessions.score(
      query.terms.map(({ hash }) => hash),
      words,
      index.rows.session,
    ),
    spans: query.dates.flatMap((named) => spansOf(named, index.days)),
  };
  for (const [bit, { hash, names }] of query.terms.entries()) {
    const term = words.terms.find(hash);
    const weight = words.idf(term);
    gathered.idf.push(weight);
    gathered.wordWhole += weight;
    if (!names) gathered.topic |= 1 << bit;
    if (term >= 0) addWord(words.list(term), weight, bit, names ? 0 : weight);
  }
  gathered.gramWhole = addAll(grams, query.grams, sums.grams, sums.gramShare);
  gathered.conceptWhole = addAll(concepts, query.matters, sums.concepts, undefined);
  for (let i = 0; i < sums.count; i += 1) {
    const row = sums.touched[i] ?? 0;
    gathered.bestWords = Math.max(gathered.bestWords, sums.words[row] ?? 0);
    gathered.bestGrams = Math.max(gathered.bestGrams, sums.grams[row] ?? 0);
  }
  gathered.bestWords ||= 1;
  gathered.bestGrams ||= 1;
  return gathered;
}

function addWord(list: Uint32Array, weight: number, bit: number, scored: number): void {
  const { words, wordShare, mask } = sums;
  for (let i = 0; i < list.length; i += 1) {
    const posting = list[i] ?? 0;
    const row = rowOf(posting);
    sums.touch(row);
    words[row] = (words[row] ?? 0) + scored * impactOf(posting);
    wordShare[row] = (wordShare[row] ?? 0) + weight;
    mask[row] = (mask[row] ?? 0) | (1 << bit);
  }
}

/** Adds up the BM25 and the weight of terms by row; gives the weight of all of them. */
function addAll(postings: Postings, hashes: number[], bm25: Float32Array, share: Float32Array | undefined): number {
  let whole = 0;
  for (const hash of hashes) {
    const term = postings.terms.find(hash);
    const weight = postings.idf(term);
    whole += weight;
    if (term < 0) continue;
    const list = postings.list(term);
    for (let i = 0; i < list.length; i += 1) {
      const posting = list[i] ?? 0;
      const row = rowOf(posting);
      sums.touch(row);
      bm25[row] = (bm25[row] ?? 0) + weight * impactOf(posting);
      if (share !== undefined) share[row] = (share[row] ?? 0) + weight;
    }
  }
  return whole;
}

/** Adds the other matters that the query's words stand for, for rows that are looked at anyway: they bring none by themselves. */
export function addConcepts({ concepts }: MemoryIndex, query: Query, { sums }: Gathered): void {
  for (const hash of query.concepts) {
    const term = concepts.terms.find(hash);
    if (term < 0) continue;
    const weight = concepts.idf(term);
    const list = concepts.list(term);
    for (let i = 0; i < list.length; i += 1) {
      const posting = list[i] ?? 0;
      const row = rowOf(posting);
      if (sums.holds(row)) sums.concepts[row] = (sums.concepts[row] ?? 0) + weight * impactOf(posting);
    }
  }
}

/** How near a row is to the query by its own text, from 0 to 1. */
export function nearness({ bestWords, bestGrams }: Gathered, row: number): number {
  if (!sums.holds(row)) return 0;
  return (2 * ((sums.words[row] ?? 0) / bestWords) + (sums.grams[row] ?? 0) / bestGrams) / 3;
}
