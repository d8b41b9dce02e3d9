import { SESSION } from './bm25.ts';
import { type Postings, rowOf } from './postings.ts';
import type { Rows } from './rows.ts';
import type { Sums } from './sums.ts';
import { TRAIT } from './traits.ts';

const NONE = new Int32Array(0);

/** What of a query tells which session it is about: see `Query`. */
interface Topic {
  terms: readonly { hash: number }[];
  pairs: readonly (readonly [number, number])[];
  goesOn: number;
}

/** The sessions of an agent's memories, numbered as they come, and how well each matches a query as one text. */
export class Sessions {
  readonly #numbers = new Map<string, number>();
  /** How many words people and agents said in each session, and its latest row. */
  readonly lengths: number[] = [];
  readonly agentLengths: number[] = [];
  readonly last: number[] = [];
  /** The day on which each began. */
  readonly day: number[] = [];
  #scores = new Float32Array(16);
  #counts = new Float32Array(16);

  get bytes(): number {
    return this.lengths.length * 170;
  }

  find(id: string): number | undefined {
    return this.#numbers.get(id);
  }

  take(id: string, day: number): number {
    const existing = this.#numbers.get(id);
    if (existing !== undefined) return existing;
    const number = this.lengths.length;
    this.#numbers.set(id, number);
    this.lengths.push(0);
    this.agentLengths.push(0);
    this.last.push(-1);
    this.day.push(day);
    return number;
  }

  /**
   * BM25 over what was said in each session, as one text; the best is 1. An agent's long answers would make every session about everything,
   * so its words count only in so far as the query goes on with a talk. Words that stand side by side in the query count once more where a
   * memory has both. The next query overwrites it.
   */
  score({ terms, pairs, goesOn }: Topic, { words, rows }: { words: Postings; rows: Rows }, sums: Sums): Float32Array {
    const size = this.lengths.length;
    if (size > this.#scores.length) {
      this.#scores = new Float32Array(size * 2);
      this.#counts = new Float32Array(size * 2);
    }
    const scores = this.#scores.fill(0);
    const counts = this.#counts;
    const lengthOf = (session: number) => (this.lengths[session] ?? 0) + goesOn * (this.agentLengths[session] ?? 0);
    let whole = 0;
    for (let session = 0; session < size; session += 1) whole += lengthOf(session);
    const mean = whole / Math.max(1, size);
    const add = (list: Int32Array, mask: number) => {
      const touched: number[] = [];
      for (let i = 0; i < list.length; i += 1) {
        const row = rowOf(list[i] ?? 0);
        const share = ((rows.traits[row] ?? 0) & TRAIT.agent) === 0 ? 1 : goesOn;
        if (share === 0 || ((sums.mask[row] ?? 0) & mask) !== mask) continue;
        const session = rows.session[row] ?? 0;
        if (counts[session] === 0) touched.push(session);
        counts[session] = (counts[session] ?? 0) + share;
      }
      const idf = Math.log(1 + (size - touched.length + 0.5) / (touched.length + 0.5));
      for (const session of touched) {
        const count = counts[session] ?? 0;
        counts[session] = 0;
        scores[session] = (scores[session] ?? 0) + idf * SESSION.share(count, lengthOf(session), mean);
      }
    };
    const lists = terms.map(({ hash }) => {
      const term = words.terms.find(hash);
      return term < 0 ? NONE : words.list(term);
    });
    for (const list of lists) add(list, 0);
    for (const [a, b] of pairs) {
      const [one, other] = [lists[a] ?? NONE, lists[b] ?? NONE];
      add(one.length < other.length ? one : other, (1 << a) | (1 << b));
    }
    let best = 0;
    for (let i = 0; i < size; i += 1) best = Math.max(best, scores[i] ?? 0);
    if (best > 0) for (let i = 0; i < size; i += 1) scores[i] = (scores[i] ?? 0) / best;
    return scores.subarray(0, size);
  }
}
