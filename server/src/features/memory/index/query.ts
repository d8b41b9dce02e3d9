import { datesNamed, type Named } from '../../../platform/language/dates.ts';
import { readWords } from '../../../platform/language/word-reader.ts';
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
  grams: number[];
  /** The concepts that its words name, and those that they imply. */
  matters: number[];
  concepts: number[];
  named: Set<number>;
  wants: Wants;
  dates: Named[];
}

/** Parses a question; in a long one only the first distinct words count. */
export function readQuery(text: string, isSpeaker: (hash: number) => boolean): Query {
  const words = readWords(text);
  const matters = new Set(words.flatMap((word) => word.concepts.named).slice(0, CONCEPTS_MAX));
  const concepts = new Set(words.flatMap((word) => word.concepts.all));
  const hashes = [...new Set(words.map((word) => word.hash))].filter((hash) => hash !== 0).slice(0, TERMS_MAX);
  const terms = hashes.map((hash) => ({ hash, names: isSpeaker(hash) }));
  return {
    terms,
    grams: [...new Set(words.flatMap((word) => word.grams))].slice(0, GRAMS_MAX),
    matters: [...matters],
    concepts: [...concepts].filter((concept) => !matters.has(concept)).slice(0, CONCEPTS_MAX),
    named: new Set(terms.filter((term) => term.names).map((term) => term.hash)),
    wants: wantsOf(text.slice(0, 2_000)),
    dates: datesNamed(text.slice(0, 2_000)),
  };
}
