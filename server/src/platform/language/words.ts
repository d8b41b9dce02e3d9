import { stemmer } from 'stemmer';
import { type Concepts, conceptTable } from './concepts.ts';
import { cuesOf } from './cues.ts';
import { BASE } from './irregular-words.ts';
import { hashOf } from './word-hash.ts';

/** Words that say nothing about a text's subject, greetings among them. */
export const EMPTY_WORDS: ReadonlySet<string> = new Set(
  `a about after again all also am an and any are as at be because been before being but by can could did do does doing done
  for from get go got had has have having he her hers him his how i if in into is it its just let me might more most my no nor not
  now of off ok okay on once only or other our ours out over own please shall she should so some such than thank thanks that the
  their theirs them then there these they this those to too under until up us very was we were what when where which while who
  whom why will with would you your yours yeah yes hello hey hi wow oh well really much many lot ever still ve ll re don didn
  doesn isn wasn won couldn wouldn shouldn im s t d m o`.split(/\s+/),
);

const WORD = /[\p{L}\p{M}\p{N}]+/gu;
const GRAM = 4;
/** Longer runs of letters are noise or an attack; only their beginning is indexed. */
export const WORD_MAX = 40;
/** How much of one text is indexed, in words. */
export const WORDS_MAX = 2_000;

/** The words of a text in lower case, in order, with stop words. */
export function wordsOf(text: string): string[] {
  const found: string[] = text.normalize('NFKC').toLowerCase().match(WORD) ?? [];
  if (found.length > WORDS_MAX) found.length = WORDS_MAX;
  for (const [at, word] of found.entries()) if (word.length > WORD_MAX) found[at] = word.slice(0, WORD_MAX);
  return found;
}

/** What the index knows about a word. */
export interface Word {
  text: string;
  stem: string;
  /** The stem's hash; 0 for a stop word. */
  hash: number;
  /** The hash of the word as written. */
  form: number;
  /** The hashes of its runs of four characters. */
  grams: readonly number[];
  /** Its everyday concepts. */
  concepts: Concepts;
  /** The cues that it may be part of. */
  cues: number;
}

const known = new Map<string, Word>();
const KNOWN_MAX = 50_000;

/** Analyses a word, and remembers the result. */
export function readWord(word: string): Word {
  const found = known.get(word);
  if (found !== undefined) return found;
  if (known.size === KNOWN_MAX) known.clear();
  const made = makeWord(word);
  known.set(word, made);
  return made;
}

/** Analyses a word. */
export function makeWord(text: string): Word {
  const stem = stemOf(text);
  const cues = cuesOf(text);
  if (!isContent(text)) return { text, stem, hash: 0, form: 0, grams: [], concepts: NONE, cues };
  const matters = concepts.get(stem) ?? NONE;
  return { text, stem, hash: hashOf(stem), form: hashOf(text), grams: gramsOf(text), concepts: matters, cues };
}

/** The distinct stems of a text's words, without stop words. */
export const stemsOf = (text: string): Set<string> =>
  new Set(
    wordsOf(text)
      .map(readWord)
      .filter(({ hash }) => hash !== 0)
      .map(({ stem }) => stem),
  );

/** A word without its ending, so that “cooking” finds “cooked”; words that are not English stay unchanged. */
export function stemOf(word: string): string {
  const base = BASE.get(word) ?? word;
  return /^[a-z]+$/.test(base) ? stemmer(base) : base;
}

export const isContent = (word: string) => !EMPTY_WORDS.has(word) && (word.length > 1 || !/^[a-z]$/.test(word));

const concepts = conceptTable(stemOf);
const NONE: Concepts = { all: [], named: [] };

/** The hashes of a concept's stems, by the concept's hash. */
export const stemsOfMatter: ReadonlyMap<number, readonly number[]> = stemsByMatter();

function stemsByMatter(): Map<number, number[]> {
  const stems = new Map<number, number[]>();
  for (const [stem, { all }] of concepts) {
    for (const matter of all) stems.set(matter, [...(stems.get(matter) ?? []), hashOf(stem)]);
  }
  return stems;
}

/** Runs of four characters in a padded word: they find other spellings and endings, in any script. */
function gramsOf(word: string): number[] {
  const padded = ` ${word} `;
  if (padded.length <= GRAM) return [hashOf(padded)];
  const grams: number[] = [];
  for (let at = 0; at + GRAM <= padded.length; at += 1) grams.push(hashOf(padded, at, at + GRAM));
  return grams;
}
