/**
 * BM25's share of one term in one text (Robertson & Zaragoza 2009), from 0 to 1, by how often the text contains it and how long the text
 * is beside the usual length, in terms.
 */
export class Bm25 {
  readonly #k1: number;
  readonly #b: number;

  constructor(k1: number, b: number) {
    this.#k1 = k1;
    this.#b = b;
  }

  /** What is added to the number of times below the line. */
  norm(length: number, mean: number): number {
    return this.#k1 * (1 - this.#b + (this.#b * length) / Math.max(1, mean));
  }

  share(times: number, length: number, mean: number): number {
    return times / (times + this.norm(length, mean));
  }
}

/** One memory: its words, its runs of characters, its concepts. */
export const ROW = new Bm25(0.9, 0.4);
export const WINDOW = new Bm25(0.9, 0.7);
export const SESSION = new Bm25(1.2, 0.6);
