import type { Postings } from './postings.ts';
import { impactOf, rowOf } from './postings.ts';
import type { Query } from './query.ts';
import type { Rows } from './rows.ts';

/** Sums by row, kept between queries: a row counts only where it bears the stamp of the query at hand, so nothing is cleared. */
class Sums {
  #stamps = new Uint32Array(0);
  #stamp = 0;
  words = new Float32Array(0);
  wordShare = new Float32Array(0);
  grams = new Float32Array(0);
  gramShare = new Float32Array(0);
  mask = new Uint32Array(0);
  /** The rows that hold anything of the query, and how many they are. */
  touched = new Int32Array(0);
  count = 0;
  /** A row's place among the candidates. */
  slot = new Int32Array(0);
  extra = new Float32Array(0);

  begin(rows: number): void {
    this.count = 0;
    this.#stamp += 1;
    if (rows <= this.#stamps.length && this.#stamp < 2 ** 32 - 1) return;
    const size = Math.ceil(rows * 1.3);
    this.#stamps = new Uint32Array(size);
    this.#stamp = 1;
    this.words = new Float32Array(size);
    this.wordShare = new Float32Array(size);
    this.grams = new Float32Array(size);
    this.gramShare = new Float32Array(size);
    this.mask = new Uint32Array(size);
    this.touched = new Int32Array(size);
    this.slot = new Int32Array(size);
    this.extra = new Float32Array(size);
  }

  holds(row: number): boolean {
    return row >= 0 && this.#stamps[row] === this.#stamp;
  }

  touch(row: number): void {
    if (this.#stamps[row] === this.#stamp) return;
    this.#stamps[row] = this.#stamp;
    this.words[row] = 0;
    this.wordShare[row] = 0;
    this.grams[row] = 0;
    this.gramShare[row] = 0;
    this.mask[row] = 0;
    this.slot[row] = -1;
    this.extra[row] = 0;
    this.touched[this.count] = row;
    this.count += 1;
  }
}
const sums = new Sums();

/** What the postings say of a query. The sums are those of the query asked last: read them before the next. */
export interface Gathered {
  sums: Sums;
  /** The weight of each of the query's terms, by its bit. */
  idf: number[];
  /** The bits of the terms that are no speaker's name. */
  topic: number;
  wordWhole: number;
  gramWhole: number;
  /** The best score of any row. */
  bestWords: number;
  bestGrams: number;
}

/** Walks the postings of a query's words and character runs, and nothing else. */
export function gather(words: Postings, grams: Postings, rows: Rows, query: Query): Gathered {
  sums.begin(rows.size);
  const idf: number[] = [];
  let topic = 0;
  let wordWhole = 0;
  let gramWhole = 0;
  for (const [bit, { hash, names }] of query.terms.entries()) {
    const term = words.terms.find(hash);
    const weight = words.idf(term);
    idf.push(weight);
    wordWhole += weight;
    if (!names) topic |= 1 << bit;
    if (term >= 0) addWord(words.list(term), weight, bit, names ? 0 : weight);
  }
  for (const hash of query.grams) {
    const term = grams.terms.find(hash);
    const weight = grams.idf(term);
    gramWhole += weight;
    if (term >= 0) addGram(grams.list(term), weight);
  }
  let [bestWords, bestGrams] = [0, 0];
  for (let i = 0; i < sums.count; i += 1) {
    const row = sums.touched[i] ?? 0;
    bestWords = Math.max(bestWords, sums.words[row] ?? 0);
    bestGrams = Math.max(bestGrams, sums.grams[row] ?? 0);
  }
  return { sums, idf, topic, wordWhole, gramWhole, bestWords, bestGrams };
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

function addGram(list: Uint32Array, weight: number): void {
  const { grams, gramShare } = sums;
  for (let i = 0; i < list.length; i += 1) {
    const posting = list[i] ?? 0;
    const row = rowOf(posting);
    sums.touch(row);
    grams[row] = (grams[row] ?? 0) + weight * impactOf(posting);
    gramShare[row] = (gramShare[row] ?? 0) + weight;
  }
}
