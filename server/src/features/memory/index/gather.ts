import { type Span, spansOf } from '../../../platform/language/dates.ts';
import { stemsOfMatter } from '../../../platform/language/words.ts';
import { ROW } from './bm25.ts';
import type { MemoryIndex } from './memory-index.ts';
import { idfOf, rowOf, timesOf } from './postings.ts';
import type { Query } from './query.ts';
import type { Rows } from './rows.ts';
import { Sums } from './sums.ts';

const sums = new Sums();

/** What the postings know about a query. The next query overwrites the sums. */
export interface PostingSums {
  sums: Sums;
  /** The weight of each query word, by its bit. */
  idf: number[];
  /** The bits of the words that are not a speaker's name. */
  topic: number;
  wordWhole: number;
  gramWhole: number;
  /** The total weight of the concepts that the query names. */
  conceptWhole: number;
  /** The highest sums of any row; 1 when all are 0. */
  bestWords: number;
  bestGrams: number;
  /** How well each session matches the query; the best is 1. */
  sessions: Float32Array;
  /** The days that the query names. */
  spans: Span[];
  /** How far the query goes on with a talk, from 0 to 1. */
  goesOn: number;
}

/** Walks the postings of a query's words, character runs and concepts, and reads no other rows. */
export function gather(index: MemoryIndex, query: Query): PostingSums {
  const { words, rows } = index;
  sums.begin(rows.size);
  const gathered: Omit<PostingSums, 'sessions'> = {
    sums,
    idf: [],
    topic: 0,
    wordWhole: 0,
    gramWhole: 0,
    conceptWhole: 0,
    bestWords: 0,
    bestGrams: 0,
    spans: query.dates.flatMap((named) => spansOf(named, index.days)),
    goesOn: query.goesOn,
  };
  for (const [bit, { hash, names }] of query.terms.entries()) {
    const term = words.terms.find(hash);
    const weight = words.idf(term);
    gathered.idf.push(weight);
    gathered.wordWhole += weight;
    if (!names) gathered.topic |= 1 << bit;
    if (term >= 0) addWord(words.list(term), rows, weight, bit, names ? 0 : weight);
  }
  for (const gram of query.grams) gathered.gramWhole += addGram(index, gram);
  for (const matter of query.matters) gathered.conceptWhole += addMatter(index, matter, true);
  for (let i = 0; i < sums.count; i += 1) {
    const row = sums.touched[i] ?? 0;
    gathered.bestWords = Math.max(gathered.bestWords, sums.words[row] ?? 0);
    gathered.bestGrams = Math.max(gathered.bestGrams, sums.grams[row] ?? 0);
  }
  gathered.bestWords ||= 1;
  gathered.bestGrams ||= 1;
  return { ...gathered, sessions: index.sessions.score(query, index, sums) };
}

function addWord(list: Int32Array, rows: Rows, weight: number, bit: number, scored: number): void {
  const { words, wordShare, mask } = sums;
  const { length: lengths, meanLength } = rows;
  for (let i = 0; i < list.length; i += 1) {
    const posting = list[i] ?? 0;
    const row = rowOf(posting);
    sums.touch(row);
    words[row] = (words[row] ?? 0) + scored * ROW.share(timesOf(posting), lengths[row] ?? 0, meanLength);
    wordShare[row] = (wordShare[row] ?? 0) + weight;
    mask[row] = (mask[row] ?? 0) | (1 << bit);
  }
}

/** Adds the BM25 and weight of a run of characters to each row; returns its weight. */
function addGram({ grams, forms, rows }: MemoryIndex, hash: number): number {
  sums.beginTerms();
  const gram = grams.terms.find(hash);
  if (gram >= 0) {
    for (const form of grams.list(gram)) sums.addTerm(forms.list(rowOf(form)), timesOf(form));
  }
  const weight = idfOf(forms.rows, sums.termRowCount);
  addTermRows(rows.grams, rows.meanGrams, weight, sums.grams, sums.gramShare, true);
  return weight;
}

/** The same for a concept, through its stems. Only a concept that the query names adds new rows. */
function addMatter({ words, rows }: MemoryIndex, hash: number, brings: boolean): number {
  sums.beginTerms();
  for (const stem of stemsOfMatter.get(hash) ?? []) {
    const term = words.terms.find(stem);
    if (term >= 0) sums.addTerm(words.list(term), 1);
  }
  const weight = idfOf(words.rows, sums.termRowCount);
  addTermRows(rows.matters, rows.meanMatters, weight, sums.concepts, undefined, brings);
  return weight;
}

/** Adds a term of this weight to the sums of its rows. */
function addTermRows(
  lengths: Uint16Array,
  mean: number,
  weight: number,
  into: Float32Array,
  share: Float32Array | undefined,
  brings: boolean,
): void {
  const { termRows, times } = sums;
  for (let i = 0; i < sums.termRowCount; i += 1) {
    const row = termRows[i] ?? 0;
    if (brings) sums.touch(row);
    else if (!sums.isTouched(row)) continue;
    into[row] = (into[row] ?? 0) + weight * ROW.share(times[row] ?? 0, lengths[row] ?? 0, mean);
    if (share !== undefined) share[row] = (share[row] ?? 0) + weight;
  }
}

/** Adds the concepts that the query's words imply, for rows that are candidates already. */
export function addConcepts(index: MemoryIndex, query: Query): void {
  for (const matter of query.concepts) addMatter(index, matter, false);
}

/** How well a row's own text matches the query, from 0 to 1. */
export function nearness({ bestWords, bestGrams }: PostingSums, row: number): number {
  if (!sums.isTouched(row)) return 0;
  return (2 * ((sums.words[row] ?? 0) / bestWords) + (sums.grams[row] ?? 0) / bestGrams) / 3;
}
