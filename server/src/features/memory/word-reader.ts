import { readWord, WORD_MAX, WORDS_MAX, type Word, wordsOf } from './memory-text.ts';

const PARTS = 1;
/** What a character is to words: 0 unknown, `PARTS` where it parts them, else the letter or digit in lower case. */
const CLASSES = new Uint8Array(0x2040);
CLASSES.fill(PARTS, 0, 128);
// Of what is not ASCII, only these signs are known; anything else may be a letter.
for (const sign of '–—‘’“”…') CLASSES[sign.charCodeAt(0)] = PARTS;
for (const letter of 'abcdefghijklmnopqrstuvwxyz0123456789') {
  CLASSES[letter.charCodeAt(0)] = letter.charCodeAt(0);
  CLASSES[letter.toUpperCase().charCodeAt(0)] = letter.charCodeAt(0);
}

/** The words that were met, by a hash of 30 bits; of those that share one, the first. */
const met = new Map<number, { text: string; word: Word }>();
const MET_MAX = 50_000;

/**
 * What is known of each word of a text, in order: as `wordsOf` and `readWord` tell it. Most texts hold plain letters and words that
 * were met before; those are found in place, without a string for each.
 */
export function readWords(text: string): Word[] {
  const words: Word[] = [];
  let start = -1;
  let hash = 0;
  for (let at = 0; at <= text.length; at += 1) {
    const letter = at === text.length ? PARTS : (CLASSES[text.charCodeAt(at)] ?? 0);
    if (letter === 0) return wordsOf(text).map(readWord);
    if (letter !== PARTS) {
      if (start === -1) {
        start = at;
        hash = 0x811c9dc5;
      }
      hash = Math.imul(hash ^ letter, 0x01000193);
    } else if (start !== -1) {
      words.push(find(text, start, at, (hash ^ (hash >>> 15)) & 0x3fffffff));
      if (words.length === WORDS_MAX) return words;
      start = -1;
    }
  }
  return words;
}

function find(text: string, start: number, end: number, hash: number): Word {
  const found = met.get(hash);
  if (found !== undefined && isAt(found.text, text, start, end)) return found.word;
  const lower = text.slice(start, Math.min(end, start + WORD_MAX)).toLowerCase();
  const word = readWord(lower);
  if (found === undefined) {
    if (met.size === MET_MAX) met.clear();
    met.set(hash, { text: lower, word });
  }
  return word;
}

function isAt(word: string, text: string, start: number, end: number): boolean {
  if (word.length !== end - start) return false;
  for (let i = 0; i < word.length; i += 1) {
    if (CLASSES[text.charCodeAt(start + i)] !== word.charCodeAt(i)) return false;
  }
  return true;
}
