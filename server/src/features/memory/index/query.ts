import { type DateMention, datesNamed } from '../../../platform/language/dates.ts';
import { LANGUAGES } from '../../../platform/language/function-words.ts';
import { asks } from '../../../platform/language/sentences.ts';
import { languageOf } from '../../../platform/language/stems.ts';
import { readWords, type Word } from '../../../platform/language/words.ts';
import type { MemoryIndex } from './memory-index.ts';
import type { Postings } from './postings.ts';
import { type Wants, wantsOf } from './traits.ts';

/** A row's mask has one bit per term. */
const TERMS_MAX = 32;
const GRAMS_MAX = 160;
const CONCEPTS_MAX = 40;

export interface QueryTerm {
  hash: number;
  /** Whether it is a speaker's name. */
  names: boolean;
}

/** What the ranking reads from a question. */
export interface Query {
  terms: QueryTerm[];
  /** The bits of terms that stand side by side, other words that mean nothing left out. */
  pairs: [number, number][];
  grams: number[];
  /** The concepts that its words name, and those that they imply. */
  matters: number[];
  concepts: number[];
  wants: Wants;
  /** How far it goes on with a talk rather than asking about one, from 0 to 1. */
  goesOn: number;
  dates: DateMention[];
}

/** Parses a question. Of a long text the rarest words of this memory count, because a row's mask has room for so many. */
export function readQuery(text: string, { words, speakers }: Pick<MemoryIndex, 'words' | 'speakers'>): Query {
  const distinct = new Map<number, Word>();
  const meant = readMeant(text, words);
  for (const word of meant) distinct.set(word.hash, word);
  const chosenWords = distinct.size <= TERMS_MAX ? [...distinct.values()] : rarest([...distinct.values()], words);
  const matters = new Set(chosenWords.flatMap((word) => word.concepts.named).slice(0, CONCEPTS_MAX));
  const concepts = new Set(chosenWords.flatMap((word) => word.concepts.all));
  const terms = chosenWords.map(({ hash }) => ({ hash, names: speakers.has(hash) }));
  const wants = wantsOf(text.slice(0, 2_000), distinct.size);
  return {
    terms,
    pairs: pairsOf(meant, terms),
    grams: [...new Set(chosenWords.flatMap((word) => word.grams))].slice(0, GRAMS_MAX),
    matters: [...matters],
    concepts: [...concepts].filter((concept) => !matters.has(concept)).slice(0, CONCEPTS_MAX),
    wants,
    goesOn: asks(text) ? 1 - wants.person : 1,
    dates: datesNamed(text.slice(0, 2_000)),
  };
}

/** The meaningful words. Keywords alone don't tell their language: then the one counts in which this memory has the most of them. */
function readMeant(text: string, { terms }: Postings): Word[] {
  const read = readWords(text);
  const isCertain = read.length > TERMS_MAX || languageOf(read) !== undefined;
  const readings = isCertain ? [read] : LANGUAGES.map((language) => readWords(text, language));
  const rated = readings.map((words) => ({
    words: words.filter(({ hash }) => hash !== 0),
    knownCount: words.filter(({ hash }) => hash !== 0 && terms.find(hash) >= 0).length,
  }));
  return rated.reduce((best, one) => (one.knownCount > best.knownCount ? one : best)).words;
}

function pairsOf(words: Word[], terms: QueryTerm[]): [number, number][] {
  const bits = new Map(terms.map(({ hash }, bit) => [hash, bit]));
  const pairs = new Map<number, [number, number]>();
  for (const [at, { hash }] of words.entries()) {
    const [before, bit] = [bits.get(words[at - 1]?.hash ?? 0), bits.get(hash)];
    if (before !== undefined && bit !== undefined && before !== bit) pairs.set(before * TERMS_MAX + bit, [before, bit]);
  }
  return [...pairs.values()];
}

/** The words that the fewest memories have, of those that any has. */
function rarest(words: Word[], postings: Postings): Word[] {
  const rowsOf = (word: Word) => {
    const term = postings.terms.find(word.hash);
    return term < 0 ? 0 : postings.rowsWith(term);
  };
  return words
    .map((word) => ({ word, count: rowsOf(word) }))
    .filter((one) => one.count > 0)
    .sort((a, b) => a.count - b.count)
    .slice(0, TERMS_MAX)
    .map(({ word }) => word);
}
