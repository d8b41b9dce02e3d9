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

/** What a prompt already says, word for word. Sentences of fewer than four words never count as said. */
export class SaidBefore {
  readonly #texts: string[] = [];

  constructor(texts: readonly string[] = []) {
    for (const text of texts) this.add(text);
  }

  add(text: string): void {
    this.#texts.push(bareWords(text));
  }

  /** Whether one of the texts contains this sentence. */
  holds(sentence: string): boolean {
    const words = bareWords(sentence);
    // One blank more than words.
    if (words.split(' ').length - 2 < WORDS_MIN) return false;
    return this.#texts.some((text) => text.includes(words));
  }

  /** Whether one of the texts is this one, however short. */
  isText(text: string): boolean {
    return this.#texts.includes(bareWords(text));
  }
}
