import { SESSION } from './bm25.ts';
import { type Postings, rowOf } from './postings.ts';
import type { Rows } from './rows.ts';
import { TRAIT } from './traits.ts';

/** The sessions of an agent's memories, numbered as they come, and how well each matches a query as one text. */
export class Sessions {
  readonly #numbers = new Map<string, number>();
  /** How many words people said in each session, and its latest row. */
  readonly lengths: number[] = [];
  readonly last: number[] = [];
  /** The day on which each began. */
  readonly day: number[] = [];
  #scores = new Float32Array(16);
  #counts = new Float32Array(16);

  get bytes(): number {
    return this.lengths.length * 160;
  }

  find(id: string): number | undefined {
    return this.#numbers.get(id);
  }

  take(id: string, day: number): number {
    const known = this.#numbers.get(id);
    if (known !== undefined) return known;
    const number = this.lengths.length;
    this.#numbers.set(id, number);
    this.lengths.push(0);
    this.last.push(-1);
    this.day.push(day);
    return number;
  }

  /**
   * BM25 over what people said in each session, as one text; the best is 1. An agent's long answers would make every session about
   * everything. The next query overwrites it.
   */
  score(hashes: number[], words: Postings, rows: Rows): Float32Array {
    const size = this.lengths.length;
    if (size > this.#scores.length) {
      this.#scores = new Float32Array(size * 2);
      this.#counts = new Float32Array(size * 2);
    }
    const [scores, counts] = [this.#scores.fill(0), this.#counts];
    let whole = 0;
    for (const length of this.lengths) whole += length;
    const mean = whole / Math.max(1, size);
    for (const hash of hashes) {
      const term = words.terms.find(hash);
      if (term < 0) continue;
      const list = words.list(term);
      const touched: number[] = [];
      for (let i = 0; i < list.length; i += 1) {
        const row = rowOf(list[i] ?? 0);
        if (((rows.traits[row] ?? 0) & TRAIT.agent) !== 0) continue;
        const session = rows.session[row] ?? 0;
        if (counts[session] === 0) touched.push(session);
        counts[session] = (counts[session] ?? 0) + 1;
      }
      const idf = Math.log(1 + (size - touched.length + 0.5) / (touched.length + 0.5));
      for (const session of touched) {
        const said = counts[session] ?? 0;
        counts[session] = 0;
        scores[session] = (scores[session] ?? 0) + idf * SESSION.share(said, this.lengths[session] ?? 0, mean);
      }
    }
    let best = 0;
    for (let i = 0; i < size; i += 1) best = Math.max(best, scores[i] ?? 0);
    if (best > 0) for (let i = 0; i < size; i += 1) scores[i] = (scores[i] ?? 0) / best;
    return scores.subarray(0, size);
  }
}
