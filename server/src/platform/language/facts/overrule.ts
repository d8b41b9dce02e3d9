import { sentencesOf } from '../sentences.ts';
import { readWord, wordsOf } from '../words.ts';

/** An answer repeats a sentence when it contains this share of its words, and the sentence has at least this many. */
const REPEATED = 0.8;
const WORDS_MIN = 3;
const NEGATED = /\b(?:not|no|never|none|cannot)\b|n['’]t\b/i;

/** A sentence in a form in which only its words count. */
export const wordsAlone = (text: string): string => (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).join(' ');

/** Whether a text contains a sentence word for word, whatever stands between the words. */
export const containsSentence = (text: string, sentence: string): boolean => {
  const words = wordsAlone(sentence);
  return words !== '' && ` ${wordsAlone(text)} `.includes(` ${words} `);
};

/** A person's text without these sentences; empty when nothing is left. */
export function withoutSentences(text: string, sentences: readonly string[]): string {
  if (!sentences.some((sentence) => containsSentence(text, sentence))) return text;
  const gone = new Set(sentences.map(wordsAlone));
  const left = sentencesOf(text).filter((sentence) => !gone.has(wordsAlone(sentence)));
  // A sentence that was cut from the middle of another one stays with it.
  return left.join(' ');
}

/** Whether an answer says nearly the same as one of these sentences. */
export function repeatsSentence(answer: string, sentences: readonly string[]): boolean {
  if (sentences.length === 0) return false;
  const stems = stemsOf(answer);
  const negated = NEGATED.test(answer);
  return sentences.some((sentence) => {
    if (containsSentence(answer, sentence)) return true;
    const told = [...stemsOf(sentence)];
    if (told.length < WORDS_MIN || (NEGATED.test(sentence) && !negated)) return false;
    return told.filter((stem) => stems.has(stem)).length >= REPEATED * told.length;
  });
}

const stemsOf = (text: string) =>
  new Set(
    wordsOf(text)
      .map(readWord)
      .filter(({ hash }) => hash !== 0)
      .map(({ stem }) => stem),
  );
