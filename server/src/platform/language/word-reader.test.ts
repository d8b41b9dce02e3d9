import { expect, it } from 'vitest';
import { makeTexts } from '../../../../bench/made-texts.ts';
import { readWords } from './word-reader.ts';
import { readWord, wordsOf } from './words.ts';

const slowly = (text: string) => wordsOf(text).map(readWord);

it.each([
  '',
  ' \n?!… 🦊',
  'I’m told – “quietly” – that it’s O’Brien’s, not mine…',
  'Größe 42, ÇA va — Её зовут Ада! 猫が好き',
  'cafe\u0301 ﬁne １２',
  `A ${'long'.repeat(50)} word, twice: ${'LONG'.repeat(50)}`,
  'word '.repeat(5_000),
  'snake_case, kebab-case, a.b@c.d and 3rd\u0000of\u007fMay',
])('reads the words of “%s” as the tokenizer tells them', (text) => {
  expect(readWords(text)).toEqual(slowly(text));
});

it('reads many texts as the tokenizer tells them, also words it met before', () => {
  const texts = makeTexts(2_000);
  for (const text of [...texts, ...texts.map((text) => text.toUpperCase())]) {
    expect(readWords(text).map(({ stem }) => stem)).toEqual(slowly(text).map(({ stem }) => stem));
  }
});

it.each(['boat', 'long'.repeat(11)])('makes “%s” once, however often it is met', (word) => {
  const [first] = readWords(word);
  expect(readWords(`The ${word}, and ${word.toUpperCase()}`).filter((read) => read === first)).toHaveLength(2);
  // Two long words that begin alike are two.
  expect(readWords(`${'long'.repeat(10)}x`)[0]).not.toBe(first);
});
