/** An inverted index: which of the documents, numbered from 0 in order, hold a term and how often. */
export class Postings {
  readonly #byTerm = new Map<string, { docs: number[]; counts: number[] }>();
  readonly lengths: number[] = [];
  #total = 0;
  /** How many (term, document) pairs are held; memory grows with it. */
  pairs = 0;

  get size() {
    return this.lengths.length;
  }

  get terms() {
    return this.#byTerm.size;
  }

  get meanLength() {
    return this.#total / Math.max(1, this.size);
  }

  /** Adds the next document as a bag of terms. */
  add(terms: string[]): void {
    const doc = this.lengths.length;
    this.lengths.push(terms.length);
    this.#total += terms.length;
    for (const term of terms) {
      const posting = this.#byTerm.get(term);
      if (posting === undefined) this.#byTerm.set(term, { docs: [doc], counts: [1] });
      else if (posting.docs.at(-1) === doc)
        posting.counts[posting.counts.length - 1] = (posting.counts.at(-1) ?? 0) + 1;
      else {
        posting.docs.push(doc);
        posting.counts.push(1);
      }
    }
    this.pairs += new Set(terms).size;
  }

  /** Robertson's inverse document frequency, in the form that is never negative. */
  idf(term: string): number {
    const df = this.#byTerm.get(term)?.docs.length ?? 0;
    return Math.log(1 + (this.size - df + 0.5) / (df + 0.5));
  }

  has(term: string): boolean {
    return this.#byTerm.has(term);
  }

  /** Calls `see` for each document that holds the term. */
  each(term: string, see: (doc: number, count: number) => void): void {
    const posting = this.#byTerm.get(term);
    if (posting === undefined) return;
    for (let i = 0; i < posting.docs.length; i += 1) see(posting.docs[i] ?? 0, posting.counts[i] ?? 0);
  }

  /** The BM25 score of every document for a bag of terms (Robertson & Zaragoza 2009). */
  score(terms: string[], shape: Bm25): Float64Array {
    const scores = new Float64Array(this.size);
    const mean = this.meanLength;
    for (const term of new Set(terms)) {
      const idf = this.idf(term);
      this.each(term, (doc, count) => {
        scores[doc] = (scores[doc] ?? 0) + idf * saturate(count, this.lengths[doc] ?? 0, mean, shape);
      });
    }
    return scores;
  }
}

export interface Bm25 {
  k1: number;
  b: number;
}

/** BM25's share for one term: repetition saturates, long documents count less. */
export function saturate(count: number, length: number, mean: number, { k1, b }: Bm25): number {
  return (count * (k1 + 1)) / (count + k1 * (1 - b + (b * length) / Math.max(1, mean)));
}
