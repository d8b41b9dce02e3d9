import { stemmer as arabic } from '@orama/stemmers/arabic';
import { stemmer as dutch } from '@orama/stemmers/dutch';
import { stemmer as french } from '@orama/stemmers/french';
import { stemmer as german } from '@orama/stemmers/german';
import { stemmer as greek } from '@orama/stemmers/greek';
import { stemmer as italian } from '@orama/stemmers/italian';
import { stemmer as portuguese } from '@orama/stemmers/portuguese';
import { stemmer as russian } from '@orama/stemmers/russian';
import { stemmer as spanish } from '@orama/stemmers/spanish';
import { stemmer as english } from 'stemmer';
import { LANGUAGES, type Language } from './function-words.ts';
import { BASE } from './irregular-words.ts';

const STEMMERS: Record<Language, (word: string) => string> = {
  en: (word) => (/^[a-z]+$/.test(word) ? english(word) : word),
  de: german,
  fr: french,
  es: spanish,
  pt: portuguese,
  it: italian,
  nl: dutch,
};
const OTHER_SCRIPTS: readonly [RegExp, (word: string) => string][] = [
  [/^\p{Script=Arabic}+$/u, arabic],
  [/^\p{Script=Cyrillic}+$/u, russian],
  [/^\p{Script=Greek}+$/u, greek],
];

/** A lowercase word without its ending, so that “cooking” finds “cooked”. Words of scripts that no stemmer knows stay as they are. */
export function stemOf(word: string, language: Language = 'en'): string {
  const base = language === 'en' ? (BASE.get(word) ?? word) : word;
  if (/^\p{Script=Latin}/u.test(base)) return STEMMERS[language](base);
  return OTHER_SCRIPTS.find(([script]) => script.test(base))?.[1](base) ?? base;
}

/** The language that most function words of a text belong to; undefined when it has none, such as one of keywords alone. */
export function languageOf(words: Iterable<{ languages: number }>): Language | undefined {
  const counts = LANGUAGES.map(() => 0);
  for (const { languages } of words) {
    if (languages === 0) continue;
    for (let at = 0; at < counts.length; at += 1) if ((languages & (1 << at)) !== 0) counts[at] = (counts[at] ?? 0) + 1;
  }
  const most = Math.max(...counts);
  // English is the first: it wins where the counts are equal.
  return most === 0 ? undefined : LANGUAGES[counts.indexOf(most)];
}
