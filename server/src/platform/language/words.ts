import { type Concepts, conceptTable } from './concepts.ts';
import { cuesOf } from './cues.ts';
import { isFunctionWord, type Language, tellsLanguages } from './function-words.ts';
import { keepRecent } from './recent.ts';
import { languageOf, stemOf } from './stems.ts';
import { hashOf } from './word-hash.ts';

/** A sign of a script that puts no blanks between words. */
export const UNSPACED =
  /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}\p{scx=Myanmar}]/u;
const SPACED_OR_NOT = new RegExp(`${UNSPACED.source}+|(?:(?!${UNSPACED.source}).)+`, 'gu');
const WORD = /[\p{L}\p{M}\p{N}]+/gu;
const GRAM = 4;
/** Longer runs of letters are noise or an attack; only their beginning is indexed. */
const WORD_MAX = 40;
/** How much of one text is indexed, in words. */
const WORDS_MAX = 2_000;

/** The words of a text in lower case, in order, with stop words; pairs of signs where a script puts no blanks between words. */
export function wordsOf(text: string): string[] {
  const runs: string[] = text.normalize('NFKC').toLowerCase().match(WORD) ?? [];
  const tokens = UNSPACED.test(text) ? runs.flatMap((run) => run.match(SPACED_OR_NOT) ?? []).flatMap(pairsOf) : runs;
  if (tokens.length > WORDS_MAX) tokens.length = WORDS_MAX;
  for (const [at, word] of tokens.entries()) if (word.length > WORD_MAX) tokens[at] = word.slice(0, WORD_MAX);
  return tokens;
}

function pairsOf(run: string): string[] {
  const signs = Array.from(run.slice(0, 2 * WORDS_MAX));
  if (signs.length <= 2 || !UNSPACED.test(run)) return [run];
  return signs.slice(1).map((sign, at) => `${signs[at]}${sign}`);
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
  /** The languages that it tells as a function word of theirs, one bit each. */
  languages: number;
}

const cache = new Map<string, Word>();
const KNOWN_MAX = 50_000;

/** Analyses a word, and remembers the result. */
export function readWord(word: string, language: Language = 'en'): Word {
  const key = language === 'en' ? word : `${language} ${word}`;
  const cached = cache.get(key);
  if (cached !== undefined) return cached;
  if (cache.size === KNOWN_MAX) cache.clear();
  const made = makeWord(word, language);
  cache.set(key, made);
  return made;
}

function makeWord(text: string, language: Language = 'en'): Word {
  const stem = stemOf(text, language);
  const reading = { text, stem, cues: cuesOf(text), languages: tellsLanguages(text) };
  if (!isContent(text, language)) return { ...reading, hash: 0, form: 0, grams: [], concepts: NONE };
  const matters = language === 'en' ? (concepts.get(stem) ?? NONE) : NONE;
  return { ...reading, hash: hashOf(stem), form: hashOf(text), grams: gramsOf(text), concepts: matters };
}

/** Chinese and Japanese signs that ask, such as 什 and 么 of “what”. */
const ASKING_SIGN = /[什么麼哪谁誰吗嗎呢何]/u;

/** Whether a lowercase word may say something about a text's subject. */
export const isContent = (word: string, language: Language = 'en'): boolean =>
  !isFunctionWord(word, language) && !/^[a-z]$/.test(word) && !ASKING_SIGN.test(word);
const concepts = conceptTable();
const NONE: Concepts = { all: [], named: [] };

/** The hashes of a concept's stems, by the concept's hash. */
export const stemsOfMatter = new Map<number, readonly number[]>();
for (const [stem, { all }] of concepts)
  for (const matter of all) stemsOfMatter.set(matter, [...(stemsOfMatter.get(matter) ?? []), hashOf(stem)]);

/** Runs of four characters in a padded word: they find other spellings and endings, in any script. */
function gramsOf(word: string): number[] {
  const padded = ` ${word} `;
  if (padded.length <= GRAM) return [hashOf(padded)];
  const grams: number[] = [];
  for (let at = 0; at + GRAM <= padded.length; at += 1) grams.push(hashOf(padded, at, at + GRAM));
  return grams;
}

const PARTS = 1;
/** The class of a character: 0 unknown, `PARTS` for a separator, otherwise the lowercase letter or digit. */
const CLASSES = new Uint8Array(0x2040);
CLASSES.fill(PARTS, 0, 128);
// Outside ASCII only these signs are separators; anything else may be a letter.
for (const sign of '–—‘’“”…') CLASSES[sign.charCodeAt(0)] = PARTS;
for (const letter of 'abcdefghijklmnopqrstuvwxyz0123456789') {
  CLASSES[letter.charCodeAt(0)] = letter.charCodeAt(0);
  CLASSES[letter.toUpperCase().charCodeAt(0)] = letter.charCodeAt(0);
}

const MET_MAX = 50_000;
const SLOTS = 2 ** 17;
/** The words seen so far with their hashes, numbered from 1 in an open-addressing table. */
const met: Word[] = [];
const hashes = new Int32Array(MET_MAX + 1);
const slots = new Uint16Array(SLOTS);

/**
 * Everything known about each word of a text in its language, in order; `otherwise` is the language of a text that doesn't tell its own.
 */
export function readWords(text: string, otherwise: Language = 'en'): Word[] {
  const words = readPlain(text);
  const language = languageOf(words) ?? otherwise;
  return language === 'en' ? words : words.map((word) => readWord(word.text, language));
}

/** The same as if it were English. Most texts have plain letters and known words; those are looked up in place, without creating strings. */
function readPlain(text: string): Word[] {
  const words: Word[] = [];
  let start = -1;
  let hash = 0;
  for (let at = 0; at <= text.length; at += 1) {
    const letter = at === text.length ? PARTS : (CLASSES[text.charCodeAt(at)] ?? 0);
    if (letter === 0) return wordsOf(text).map((word) => readWord(word));
    if (letter !== PARTS) {
      if (start === -1) {
        start = at;
        hash = 0x811c9dc5;
      }
      hash = Math.imul(hash ^ letter, 0x01000193);
    } else if (start !== -1) {
      words.push(find(text, start, at, hash));
      if (words.length === WORDS_MAX) return words;
      start = -1;
    }
  }
  return words;
}

/** The distinct stems of a text's words, without function words. */
export const stemsOf = (text: string): Set<string> =>
  new Set(readWords(text).flatMap(({ hash, stem }) => (hash === 0 ? [] : [stem])));

/** How many texts and sentences stay read. */
const RECENT = 5_000;

/** The hashes of the stems of a text's meaningful words. The latest texts stay read: one question after another recalls the same. */
export const stemsIn = keepRecent(RECENT, (text): ReadonlySet<number> => {
  const stems = new Set<number>();
  for (const { hash } of readWords(text)) if (hash !== 0) stems.add(hash);
  return stems;
});

/** Finds the word at a place of a text; long words are cut, and told apart by the hash of the whole. */
function find(text: string, start: number, whole: number, hash: number): Word {
  const end = Math.min(whole, start + WORD_MAX);
  let slot = (hash ^ (hash >>> 15)) & (SLOTS - 1);
  for (let number = slots[slot] ?? 0; number !== 0; number = slots[slot] ?? 0) {
    const word = met[number - 1];
    if (hashes[number] === hash && word !== undefined && isAt(word.text, text, start, end)) return word;
    slot = (slot + 1) & (SLOTS - 1);
  }
  const word = makeWord(text.slice(start, end).toLowerCase());
  if (met.length === MET_MAX) {
    met.length = 0;
    slots.fill(0);
    return word;
  }
  met.push(word);
  hashes[met.length] = hash;
  slots[slot] = met.length;
  return word;
}

function isAt(word: string, text: string, start: number, end: number): boolean {
  if (word.length !== end - start) return false;
  for (let i = 0; i < word.length; i += 1) {
    if (CLASSES[text.charCodeAt(start + i)] !== word.charCodeAt(i)) return false;
  }
  return true;
}
