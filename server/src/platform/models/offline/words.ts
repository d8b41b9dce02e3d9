import { stopwords as arabic } from '@orama/stopwords/arabic';
import { stopwords as dutch } from '@orama/stopwords/dutch';
import { stopwords as french } from '@orama/stopwords/french';
import { stopwords as german } from '@orama/stopwords/german';
import { stopwords as greek } from '@orama/stopwords/greek';
import { stopwords as italian } from '@orama/stopwords/italian';
import { stopwords as japanese } from '@orama/stopwords/japanese';
import { stopwords as mandarin } from '@orama/stopwords/mandarin';
import { stopwords as portuguese } from '@orama/stopwords/portuguese';
import { stopwords as russian } from '@orama/stopwords/russian';
import { stopwords as spanish } from '@orama/stopwords/spanish';
import { conceptTable } from '../../language/concepts.ts';
import type { Language } from '../../language/function-words.ts';
import { keepRecent } from '../../language/recent.ts';
import { relatedWords } from '../../language/related-words.ts';
import { languageOf, stemOf } from '../../language/stems.ts';
import { readWords, UNSPACED } from '../../language/words.ts';

/** Words without a subject of their own in a question or an answer, beside function words. */
const STOP = new Set(
  `here may must mine whose without down each every both few same yet tell know remember say like come make take give thing
    something anything someone kind sort type often want need use name call belong enjoy current currently always never mrs mr dr`
    .split(/\s+/)
    .map((word) => stemOf(word)),
);

/** Dislike is expressed in many ways that consist of function words. */
const DISLIKE =
  /\b(?:don't|doesn't|didn't|do not|does not|did not|can't|cannot|can not|won't|never)\s+(?:\w+\s+){0,2}?(?:like|stand|enjoy|love)\b/g;

/** The same in other languages, as they are written; words of other scripts are told apart by their letters. */
const STOP_WORDS: Record<Language, ReadonlySet<string>> = {
  en: new Set(),
  de: new Set(german),
  fr: new Set(french),
  es: new Set(spanish),
  pt: new Set(portuguese),
  it: new Set(italian),
  nl: new Set(dutch),
};
const STOP_WORDS_OF_OTHER_SCRIPTS: ReadonlySet<string> = new Set([
  ...arabic,
  ...greek,
  ...japanese,
  ...mandarin,
  ...russian,
]);

const SEGMENTER = new Intl.Segmenter('ja', { granularity: 'word' });

/** Puts blanks between the words where a script has none, and leaves those out that say nothing. */
function spaceOut(text: string): string {
  if (!UNSPACED.test(text)) return text;
  const words = Array.from(SEGMENTER.segment(text), ({ segment }) => segment);
  return words.filter((word) => !STOP_WORDS_OF_OTHER_SCRIPTS.has(word)).join(' ');
}

/** The distinct stems of the meaningful words. */
export function stemsOf(text: string): string[] {
  const plain = text
    .toLowerCase()
    .replaceAll('’', "'")
    .replace(/\bdon't (\w+ \w+) like\b/g, 'dislike $1')
    .replace(DISLIKE, ' dislike ');
  const words = readWords(spaceOut(plain));
  const stop = STOP_WORDS[languageOf(words) ?? 'en'];
  const meaningful = words.filter(
    ({ hash, text, stem }) =>
      hash !== 0 && !STOP.has(stem) && !stop.has(text) && !STOP_WORDS_OF_OTHER_SCRIPTS.has(text),
  );
  return [...new Set(meaningful.map(({ stem }) => stem))];
}

/** The last of the Latin letters. */
const LATIN = 'ɏ';

/** Whether a text is in the language of the related words and concepts; keywords alone are, in Latin letters. */
export function isEnglish(text: string): boolean {
  const language = languageOf(readWords(text));
  return language === 'en' || (language === undefined && [...text].every((sign) => sign <= LATIN));
}

/** How many words stay looked up. */
const RECENT = 5_000;
const concepts = conceptTable();
/** The stems that mean much the same as a stem: related words, and those of the same everyday concept. */
const kinOf = keepRecent(RECENT, (stem) => new Set(relatedWords(stem).map((word) => stemOf(word))));
const shareConcept = (one: string, other: string) =>
  concepts.get(one)?.all.some((concept) => concepts.get(other)?.all.includes(concept)) ?? false;

/** From 0 to 1: how well a word of the answer matches a word of the question. */
export function likeness(term: string, word: string): number {
  if (term === word) return 1;
  if (kinOf(term).has(word) || shareConcept(term, word)) return 0.85;
  const [shorter = '', longer = ''] = [term, word].toSorted((a, b) => a.length - b.length);
  const begins = shorter.length >= 5 || (shorter.length === 4 && longer.length <= 7);
  return begins && longer.startsWith(shorter) ? 0.7 : 0;
}
