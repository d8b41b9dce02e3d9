import { WINDOW } from './bm25.ts';
import type { PostingSums } from './gather.ts';
import type { MemoryIndex } from './memory-index.ts';

const BEFORE = 3;
const AFTER = 2;
const TERMS = 32;

/** BM25 of the query's words in a row and the turns around it, as if they were one text: call `look`, then read. */
export class Windows {
  /** The row and the turn before. */
  pair = 0;
  /** Three turns before and two after. */
  six = 0;
  readonly #counts = new Uint8Array(TERMS);
  readonly #index: MemoryIndex;
  readonly #gathered: PostingSums;
  #length = 0;
  /** Most turns around a match have none of the words. */
  #isEmpty = true;

  constructor(index: MemoryIndex, gathered: PostingSums) {
    this.#index = index;
    this.#gathered = gathered;
  }

  look(row: number): void {
    const { previous, next } = this.#index.rows;
    if (!this.#isEmpty) this.#counts.fill(0);
    this.#isEmpty = true;
    this.#length = 0;
    this.#count(row);
    let at = previous[row] ?? -1;
    for (let by = 1; by <= BEFORE; by += 1) {
      if (at >= 0) {
        this.#count(at);
        at = previous[at] ?? -1;
      }
      if (by === 1) this.pair = this.#total(2);
    }
    at = next[row] ?? -1;
    for (let by = 1; by <= AFTER && at >= 0; by += 1, at = next[at] ?? -1) this.#count(at);
    this.six = this.#total(BEFORE + 1 + AFTER);
  }

  #total(turns: number): number {
    if (this.#isEmpty) return 0;
    const { idf } = this.#gathered;
    const norm = WINDOW.norm(this.#length, turns * this.#index.rows.meanLength);
    let sum = 0;
    for (let bit = 0; bit < idf.length; bit += 1) {
      const times = this.#counts[bit] ?? 0;
      if (times > 0) sum += ((idf[bit] ?? 0) * times) / (times + norm);
    }
    return sum;
  }

  /** Counts the rows that have a word, however often each has it: a turn that repeats itself says no more. */
  #count(row: number): void {
    const { sums, topic, idf } = this.#gathered;
    this.#length += this.#index.rows.length[row] ?? 0;
    if (!sums.isTouched(row)) return;
    const mask = (sums.mask[row] ?? 0) & topic;
    if (mask === 0) return;
    this.#isEmpty = false;
    for (let bit = 0; bit < idf.length; bit += 1) {
      if ((mask >>> bit) & 1) this.#counts[bit] = (this.#counts[bit] ?? 0) + 1;
    }
  }
}
