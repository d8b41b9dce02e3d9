import { keepRecent } from './recent.ts';

/** What is too short to be a repetition. */
const WORDS_MIN = 4;
const WORD = /[\p{L}\p{M}\p{N}]+/gu;
/** Scripts that put no blanks between words: each of their characters counts as one. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/gu;
const ASCII_ONLY = /^[\n\r\t -~]*$/;

/** A text as its words alone, each between two blanks: same words, same result, whatever the marks, quotes and case. */
export function bareWords(text: string): string {
  const plain = ASCII_ONLY.test(text) ? text : text.normalize('NFKC').replaceAll(UNSPACED, ' $& ');
  const words = plain.toLowerCase().match(WORD);
  return words === null ? ' ' : ` ${words.join(' ')} `;
}

/** In characters: what is longer is a whole text, of which few stay read; sentences are shorter and many. */
const SENTENCE = 400;
const recentTexts = keepRecent(600, bareWords);
const recentSentences = keepRecent(6_000, bareWords);
/** The bare words of a text. The same come again with each exchange of a conversation, so the latest stay read. */
const wordsOf = (text: string) => (text.length > SENTENCE ? recentTexts : recentSentences)(text);

/** What a prompt already says, word for word. Sentences of fewer than four words never count as said. */
export class SaidBefore {
  /** The bare words of all texts, one after another: one search in a long text is faster than many in short ones. */
  #words = '';

  constructor(texts: readonly string[] = []) {
    for (const text of texts) this.add(text);
  }

  add(text: string): void {
    this.#words += `|${wordsOf(text)}|`;
  }

  /** Whether one of the texts contains this sentence. */
  holds(sentence: string): boolean {
    return isSaid(sentence, [this]);
  }

  /** Whether one of the texts contains these bare words. */
  hasWords(words: string): boolean {
    return this.#words.includes(words);
  }

  /** Whether one of the texts is this one, however short. */
  isText(text: string): boolean {
    return this.#words.includes(`|${wordsOf(text)}|`);
  }
}

/** Whether a sentence stands in one of several places. */
export function isSaid(sentence: string, places: readonly SaidBefore[]): boolean {
  const words = wordsOf(sentence);
  // One blank more than words.
  if (words.split(' ').length - 2 < WORDS_MIN) return false;
  return places.some((place) => place.hasWords(words));
}
