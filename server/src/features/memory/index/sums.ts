import { rowOf, timesOf } from './postings.ts';

/**
 * Scratch memory of one query: sums by row, kept between queries and shared by all indexes of a thread. A row counts only with the stamp of
 * the current query, so nothing needs clearing and untouched rows cost nothing.
 */
export class Sums {
  #stamps = new Uint32Array(0);
  #stamp = 0;
  /** BM25 of the words that are not a speaker's name. */
  words = new Float32Array(0);
  /** The weight of the query words in the row, names included. */
  wordShare = new Float32Array(0);
  /** BM25 of the runs of characters, and the weight of those in the row. */
  grams = new Float32Array(0);
  gramShare = new Float32Array(0);
  /** BM25 of the concepts that the query's words imply. */
  concepts = new Float32Array(0);
  /** Which query words the row has, one bit each. */
  mask = new Uint32Array(0);
  /** The row's place among the candidates, -1 for none. */
  slot = new Int32Array(0);
  /** The touched rows; `count` says how many. */
  touched = new Int32Array(0);
  /** The candidates; `chosen` says how many. */
  candidates = new Int32Array(0);
  count = 0;
  chosen = 0;
  /** How many candidates, from the first, match the query by themselves. */
  direct = 0;
  /** The signals of the candidates, one after another. */
  values = new Float32Array(0);
  /** The rows that have any of several terms (`termRowCount` says how many), and how often. */
  termRows = new Int32Array(0);
  times = new Uint16Array(0);
  termRowCount = 0;

  /** Starts a query on an index of this many rows; earlier sums no longer count. */
  begin(rows: number): void {
    this.count = 0;
    this.chosen = 0;
    this.#stamp += 1;
    if (rows <= this.#stamps.length && this.#stamp < 2 ** 32 - 1) return;
    const size = Math.max(this.#stamps.length, Math.ceil(rows * 1.3));
    this.#stamps = new Uint32Array(size);
    this.#stamp = 1;
    this.words = new Float32Array(size);
    this.wordShare = new Float32Array(size);
    this.grams = new Float32Array(size);
    this.gramShare = new Float32Array(size);
    this.concepts = new Float32Array(size);
    this.mask = new Uint32Array(size);
    this.slot = new Int32Array(size);
    this.touched = new Int32Array(size);
    this.candidates = new Int32Array(size);
    this.termRows = new Int32Array(size);
    this.times = new Uint16Array(size);
    this.termRowCount = 0;
  }

  /** Clears the rows of terms. */
  beginTerms(): void {
    for (let i = 0; i < this.termRowCount; i += 1) this.times[this.termRows[i] ?? 0] = 0;
    this.termRowCount = 0;
  }

  /** Adds the rows of a term, each counted `factor` times. */
  addTerm(list: Int32Array, factor: number): void {
    const { termRows, times } = this;
    for (let i = 0; i < list.length; i += 1) {
      const posting = list[i] ?? 0;
      const row = rowOf(posting);
      if (times[row] === 0) {
        termRows[this.termRowCount] = row;
        this.termRowCount += 1;
      }
      times[row] = (times[row] ?? 0) + timesOf(posting) * factor;
    }
  }

  /** Returns `size` zeros for the candidates' signals. */
  clearValues(size: number): Float32Array {
    if (size > this.values.length) this.values = new Float32Array(Math.ceil(size * 1.3));
    return this.values.subarray(0, size).fill(0);
  }

  isTouched(row: number): boolean {
    return row >= 0 && this.#stamps[row] === this.#stamp;
  }

  /** Brings a row into the current query, with empty sums. */
  touch(row: number): void {
    if (this.#stamps[row] === this.#stamp) return;
    this.#stamps[row] = this.#stamp;
    this.words[row] = 0;
    this.wordShare[row] = 0;
    this.grams[row] = 0;
    this.gramShare[row] = 0;
    this.concepts[row] = 0;
    this.mask[row] = 0;
    this.slot[row] = -1;
    this.touched[this.count] = row;
    this.count += 1;
  }

  /** Adds a row to the candidates, once. */
  choose(row: number): void {
    this.touch(row);
    if ((this.slot[row] ?? -1) >= 0) return;
    this.slot[row] = this.chosen;
    this.candidates[this.chosen] = row;
    this.chosen += 1;
  }
}
