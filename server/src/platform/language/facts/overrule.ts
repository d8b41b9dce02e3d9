import { sentencesOf } from '../sentences.ts';
import { stemsOf } from '../words.ts';

/** An answer repeats a sentence when it contains this share of its words, and the sentence has at least this many. */
const REPEATED = 0.8;
const WORDS_MIN = 2;
const NEGATED = /\b(?:not|no|never|none|cannot)\b|n['’]t\b/i;

/** A sentence in a form in which only its words count. */
export const wordsAlone = (text: string): string => (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).join(' ');

/** Tells whether a text contains these words side by side. Reads the text once for all questions; `words` come from `wordsAlone`. */
export function wordsFinder(text: string): (words: string) => boolean {
  const all = ` ${wordsAlone(text)} `;
  return (words) => words !== '' && all.includes(` ${words} `);
}

/** The same for a sentence, whatever stands between its words. */
export function sentenceFinder(text: string): (sentence: string) => boolean {
  const holds = wordsFinder(text);
  return (sentence) => holds(wordsAlone(sentence));
}

/** A text without the sentences that are not wanted; unchanged when all are, empty when nothing is left. */
export function withoutSentences(text: string, isUnwanted: (sentence: string) => boolean): string {
  const sentences = sentencesOf(text);
  const wanted = sentences.filter((sentence) => !isUnwanted(sentence));
  return wanted.length === sentences.length ? text : wanted.join(' ');
}

/** Tells whether a sentence of an answer says nearly the same as one of these. */
export function repetitionFinder(sentences: readonly string[]): (answer: string) => boolean {
  const compared = sentences.map((sentence) => ({
    words: wordsAlone(sentence),
    stems: [...stemsOf(sentence)],
    negated: NEGATED.test(sentence),
  }));
  return (answer) => {
    const holds = wordsFinder(answer);
    return compared.some(({ words }) => holds(words)) || repeats(answer, compared);
  };
}

interface ComparedSentence {
  stems: string[];
  negated: boolean;
}

function repeats(answer: string, compared: readonly ComparedSentence[]): boolean {
  return sentencesOf(answer).some((part) => {
    const stems = stemsOf(part);
    const negated = NEGATED.test(part);
    return compared.some((one) => {
      if (one.stems.length < WORDS_MIN || one.negated !== negated) return false;
      return one.stems.filter((stem) => stems.has(stem)).length >= REPEATED * one.stems.length;
    });
  });
}
