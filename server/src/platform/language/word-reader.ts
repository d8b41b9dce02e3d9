import { keepRecent } from './recent.ts';
import { makeWord, readWord, WORD_MAX, WORDS_MAX, type Word, wordsOf } from './words.ts';

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
 * Everything known about each word of a text, in order, as `wordsOf` and `readWord` return it. Most texts have plain letters and known
 * words; those are looked up in place, without creating strings.
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
      words.push(find(text, start, at, hash));
      if (words.length === WORDS_MAX) return words;
      start = -1;
    }
  }
  return words;
}

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
