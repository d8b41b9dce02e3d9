/**
 * BM25's score of one term in one row (Robertson & Zaragoza 2009), from 0 to 1, by how often the row contains it and how long the row is.
 */
export class Bm25 {
  readonly #base: number;
  readonly #slope: number;

  /** `mean` is the usual length of a memory, in terms. */
  constructor(k1: number, b: number, mean: number) {
    this.#base = k1 * (1 - b);
    this.#slope = (k1 * b) / mean;
  }

  share(times: number, length: number): number {
    return times / (times + this.#base + this.#slope * length);
  }
}

export const WORDS = new Bm25(0.9, 0.4, 10);
export const GRAMS = new Bm25(0.9, 0.4, 45);
export const MATTERS = new Bm25(0.9, 0.4, 6);
