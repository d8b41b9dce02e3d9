import { WORDS } from './bm25.ts';
import { type Gathered, nearness } from './gather.ts';
import type { MemoryIndex } from './memory-index.ts';
import { rowOf, timesOf } from './postings.ts';
import type { Query } from './query.ts';

/** How many of the best rows lend words, and how many words they lend. */
const ROWS = 5;
const TERMS = 8;

/**
 * Pseudo-relevance feedback: words that the best rows share beyond the query are searched for too. Adds each candidate's BM25 to every
 * `width`-th value.
 */
export function scoreFeedback(
  index: MemoryIndex,
  query: Query,
  gathered: Gathered,
  values: Float32Array,
  width: number,
): void {
  const { sums } = gathered;
  const lengths = index.rows.length;
  for (const term of lentTerms(index, query, gathered)) {
    const idf = index.words.idf(term);
    const list = index.words.list(term);
    for (let i = 0; i < list.length; i += 1) {
      const posting = list[i] ?? 0;
      const row = rowOf(posting);
      if (!sums.holds(row)) continue;
      const slot = sums.slot[row] ?? -1;
      if (slot >= 0)
        values[slot * width] = (values[slot * width] ?? 0) + idf * WORDS.share(timesOf(posting), lengths[row] ?? 0);
    }
  }
}

function lentTerms(index: MemoryIndex, query: Query, gathered: Gathered): number[] {
  const { words } = index;
  const known = new Set(
    [...query.terms.map(({ hash }) => hash), ...index.speakers].map((hash) => words.terms.find(hash)),
  );
  const gain = new Map<number, number>();
  for (const row of nearest(gathered)) {
    const near = nearness(gathered, row);
    for (const term of index.rows.stemsOf(row)) {
      if (!known.has(term)) gain.set(term, (gain.get(term) ?? 0) + near * words.idf(term));
    }
  }
  return [...gain]
    .sort((a, b) => b[1] - a[1] || a[0] - b[0])
    .slice(0, TERMS)
    .map(([term]) => term);
}

function nearest(gathered: Gathered): number[] {
  const { candidates, chosen } = gathered.sums;
  const rows: number[] = [];
  const scores: number[] = [];
  for (let c = 0; c < chosen; c += 1) {
    const score = nearness(gathered, candidates[c] ?? 0);
    if (score === 0 || (rows.length === ROWS && score <= (scores[ROWS - 1] ?? 0))) continue;
    const at = scores.findIndex((other) => score > other);
    rows.splice(at === -1 ? rows.length : at, 0, candidates[c] ?? 0);
    scores.splice(at === -1 ? scores.length : at, 0, score);
    if (rows.length > ROWS) {
      rows.pop();
      scores.pop();
    }
  }
  return rows;
}
