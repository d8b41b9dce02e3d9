import { sentencesOf } from '../sentences.ts';
import { readWord, wordsOf } from '../words.ts';

/** An answer repeats a sentence when it contains this share of its words, and the sentence has at least this many. */
const REPEATED = 0.8;
const WORDS_MIN = 2;
const NEGATED = /\b(?:not|no|never|none|cannot)\b|n['’]t\b/i;

/** A sentence in a form in which only its words count. */
export const wordsAlone = (text: string): string => (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).join(' ');

/** Tells whether a text contains a sentence word for word, whatever stands between the words. Reads the text once for all questions. */
export function sentenceFinder(text: string): (sentence: string) => boolean {
  const words = ` ${wordsAlone(text)} `;
  return (sentence) => {
    const wanted = wordsAlone(sentence);
    return wanted !== '' && words.includes(` ${wanted} `);
  };
}

/** The same for one sentence. */
export const containsSentence = (text: string, sentence: string): boolean => sentenceFinder(text)(sentence);

/** A text without the sentences that are not wanted; unchanged when all are, empty when nothing is left. */
export function withoutSentences(text: string, isUnwanted: (sentence: string) => boolean): string {
  const sentences = sentencesOf(text);
  const left = sentences.filter((sentence) => !isUnwanted(sentence));
  return left.length === sentences.length ? text : left.join(' ');
}

/** Whether a sentence of an answer says nearly the same as one of these. */
export function repeatsSentence(answer: string, sentences: readonly string[]): boolean {
  if (sentences.length === 0) return false;
  const told = sentences.map((sentence) => ({ stems: [...stemsOf(sentence)], negated: NEGATED.test(sentence) }));
  if (sentences.some(sentenceFinder(answer))) return true;
  return sentencesOf(answer).some((part) => {
    const stems = stemsOf(part);
    const negated = NEGATED.test(part);
    return told.some((one) => {
      if (one.stems.length < WORDS_MIN || one.negated !== negated) return false;
      return one.stems.filter((stem) => stems.has(stem)).length >= REPEATED * one.stems.length;
    });
  });
}

const stemsOf = (text: string) =>
  new Set(
    wordsOf(text)
      .map(readWord)
      .filter(({ hash }) => hash !== 0)
      .map(({ stem }) => stem),
  );
