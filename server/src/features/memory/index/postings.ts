import { TermTable } from './term-table.ts';

/** A posting stores how often a row has a term in eight bits. */
const TIMES_MAX = 255;
const ROW_SHIFT = 8;

/** Cached weights by the number of rows that have a term, because logarithms are slow; 0 for unknown. */
const weights = new Float64Array(8_192);
let weighedRows = -1;

/** Robertson's inverse document frequency of a term that `held` of `rows` rows contain, in the form that is never negative. */
export function idfOf(rows: number, containing: number): number {
  if (rows !== weighedRows) {
    weights.fill(0);
    weighedRows = rows;
  }
  const before = weights[containing] ?? 0;
  if (before !== 0) return before;
  const weight = Math.log(1 + (rows - containing + 0.5) / (containing + 0.5));
  if (containing < weights.length) weights[containing] = weight;
  return weight;
}

/** An inverted index of rows by term, with counts, in one buffer: a list that outgrows its room moves to the end, half as large again. */
export class Postings {
  readonly terms = new TermTable();
  #pool = new Int32Array(256);
  #used = 0;
  #start = new Int32Array(64);
  #count = new Int32Array(64);
  #room = new Int32Array(64);
  /** How often each term occurs in the row being added; 0 between rows. */
  #times = new Uint16Array(64);
  readonly #numbers: number[] = [];
  /** The number of rows, without forgotten ones. */
  rows = 0;

  get bytes(): number {
    return this.#pool.byteLength + 3 * this.#start.byteLength + this.#times.byteLength + this.terms.bytes;
  }

  /**
   * Adds a row, greater than all before, as a bag of hashed terms; returns the numbers of its distinct terms, valid until the next call.
   */
  add(row: number, hashes: readonly number[]): readonly number[] {
    this.rows += 1;
    const numbers = this.#numbers;
    numbers.length = 0;
    for (const hash of hashes) {
      const term = this.terms.take(hash);
      if (term >= this.#start.length) this.#growTerms();
      const times = this.#times[term] ?? 0;
      if (times === 0) numbers.push(term);
      this.#times[term] = times + 1;
    }
    for (const term of numbers) {
      this.#insert(term, row, Math.min(TIMES_MAX, this.#times[term] ?? 0));
      this.#times[term] = 0;
    }
    return numbers;
  }

  /** Removes rows from every list, so they are neither found nor counted. */
  remove(rows: ReadonlySet<number>): void {
    if (rows.size === 0) return;
    this.rows -= rows.size;
    let highest = 0;
    for (const row of rows) highest = Math.max(highest, row);
    const gone = new Uint8Array(highest + 1);
    for (const row of rows) gone[row] = 1;
    for (let term = 0; term < this.terms.size; term += 1) {
      const start = this.#start[term] ?? 0;
      const end = start + (this.#count[term] ?? 0);
      let next = start;
      for (let at = start; at < end; at += 1) {
        const posting = this.#pool[at] ?? 0;
        if (gone[posting >>> ROW_SHIFT] === 1) continue;
        this.#pool[next] = posting;
        next += 1;
      }
      if (next < end) this.#pool.fill(0, next, end);
      this.#count[term] = next - start;
    }
  }

  /** How many rows contain the term. */
  rowsWith(term: number): number {
    return this.#count[term] ?? 0;
  }

  /** The weight of a term by how few rows have it; -1 counts as unknown. */
  idf(term: number): number {
    return idfOf(this.rows, term < 0 ? 0 : this.rowsWith(term));
  }

  /** The rows of a term, as stored in the buffer: read them with `rowOf` and `timesOf` before adding anything. */
  list(term: number): Int32Array {
    const start = this.#start[term] ?? 0;
    return this.#pool.subarray(start, start + this.rowsWith(term));
  }

  #insert(term: number, row: number, times: number): void {
    const count = this.#count[term] ?? 0;
    if (count === (this.#room[term] ?? 0)) this.#move(term, count);
    const start = this.#start[term] ?? 0;
    this.#pool[start + count] = ((row << ROW_SHIFT) | times) >>> 0;
    this.#count[term] = count + 1;
  }

  #growTerms(): void {
    const size = Math.ceil(this.#start.length * 1.5);
    this.#start = grown(this.#start, new Int32Array(size));
    this.#count = grown(this.#count, new Int32Array(size));
    this.#room = grown(this.#room, new Int32Array(size));
    this.#times = grown(this.#times, new Uint16Array(size));
  }

  #move(term: number, count: number): void {
    const room = count === 0 ? 1 : Math.ceil(count * 1.5) + 1;
    if (this.#used + room > this.#pool.length) this.#repack(room);
    const start = this.#start[term] ?? 0;
    const pool = this.#pool;
    // Most lists are short, and for them calling `copyWithin` and `fill` takes longer than copying.
    for (let at = 0; at < count; at += 1) {
      pool[this.#used + at] = pool[start + at] ?? 0;
      pool[start + at] = 0;
    }
    this.#start[term] = this.#used;
    this.#room[term] = room;
    this.#used += room;
  }

  /** Copies to a new buffer a third larger, without the abandoned places. */
  #repack(extra: number): void {
    let live = extra;
    for (let term = 0; term < this.terms.size; term += 1) live += this.#room[term] ?? 0;
    const next = new Int32Array(Math.ceil(live * 1.3) + 256);
    const pool = this.#pool;
    let used = 0;
    for (let term = 0; term < this.terms.size; term += 1) {
      const start = this.#start[term] ?? 0;
      const count = this.#count[term] ?? 0;
      for (let at = 0; at < count; at += 1) next[used + at] = pool[start + at] ?? 0;
      this.#start[term] = used;
      used += this.#room[term] ?? 0;
    }
    this.#pool = next;
    this.#used = used;
  }
}

export const rowOf = (posting: number) => posting >>> ROW_SHIFT;
export const timesOf = (posting: number) => posting & TIMES_MAX;

function grown<T extends Int32Array | Uint16Array>(from: T, into: T): T {
  into.set(from);
  return into;
}
