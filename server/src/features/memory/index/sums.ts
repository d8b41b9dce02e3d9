import { rowOf, timesOf } from './postings.ts';

/**
 * Scratch of one query: sums by row, kept between queries and shared by all indexes of a thread. A row counts only where it bears
 * the stamp of the query at hand, so that nothing is cleared and only touched rows cost anything.
 */
export class Sums {
  #stamps = new Uint32Array(0);
  #stamp = 0;
  /** BM25 of the words that are no speaker's name. */
  words = new Float32Array(0);
  /** The weight of the query's words that the row holds, names included. */
  wordShare = new Float32Array(0);
  /** BM25 of the runs of characters, and the weight of those that the row holds. */
  grams = new Float32Array(0);
  gramShare = new Float32Array(0);
  /** BM25 of the matters that the query's words stand for. */
  concepts = new Float32Array(0);
  /** Which of the query's words the row holds, a bit each. */
  mask = new Uint32Array(0);
  /** The row's place among the candidates, -1 where it is none. */
  slot = new Int32Array(0);
  /** The touched rows, as many as `count`. */
  touched = new Int32Array(0);
  /** The candidates, as many as `chosen`. */
  candidates = new Int32Array(0);
  count = 0;
  chosen = 0;
  /** The first so many candidates are near to the query by themselves. */
  direct = 0;
  /** The signals of the candidates, one after the other. */
  values = new Float32Array(0);
  /** The rows that hold any of several terms, as many as `heldCount`, and how often each row does. */
  held = new Int32Array(0);
  times = new Uint16Array(0);
  heldCount = 0;

  /** Forgets the query before, and makes room for an index of so many rows. */
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
    this.held = new Int32Array(size);
    this.times = new Uint16Array(size);
    this.heldCount = 0;
  }

  /** Forgets which rows were held. */
  beginHeld(): void {
    for (let i = 0; i < this.heldCount; i += 1) this.times[this.held[i] ?? 0] = 0;
    this.heldCount = 0;
  }

  /** Holds the rows of a term, which counts so many times. */
  hold(list: Int32Array, factor: number): void {
    const { held, times } = this;
    for (let i = 0; i < list.length; i += 1) {
      const posting = list[i] ?? 0;
      const row = rowOf(posting);
      if (times[row] === 0) {
        held[this.heldCount] = row;
        this.heldCount += 1;
      }
      times[row] = (times[row] ?? 0) + timesOf(posting) * factor;
    }
  }

  /** Zeros, as many as wanted, for the candidates' signals. */
  clearValues(size: number): Float32Array {
    if (size > this.values.length) this.values = new Float32Array(Math.ceil(size * 1.3));
    return this.values.subarray(0, size).fill(0);
  }

  holds(row: number): boolean {
    return row >= 0 && this.#stamps[row] === this.#stamp;
  }

  /** Makes a row of the query before one of this query, with nothing in its sums. */
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

  /** Takes a row among the candidates, once. */
  choose(row: number): void {
    this.touch(row);
    if ((this.slot[row] ?? -1) >= 0) return;
    this.slot[row] = this.chosen;
    this.candidates[this.chosen] = row;
    this.chosen += 1;
  }
}
