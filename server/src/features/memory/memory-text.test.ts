import { describe, expect, it } from 'vitest';
import { contentStems, gramsOf, isContent, isQuestion, MEMORY_MAX, splitText, stem, wordsOf } from './memory-text.ts';

describe('words', () => {
  it('are letters and digits of any script, in lower case and in order', () => {
    expect(wordsOf('Größe 42, ÇA va — Её зовут Ада! 猫が好き')).toEqual([
      'größe',
      '42',
      'ça',
      'va',
      'её',
      'зовут',
      'ада',
      '猫が好き',
    ]);
  });
  it('are the same however the characters are composed', () => {
    expect(wordsOf('cafe\u0301 ﬁne １２')).toEqual(wordsOf('café fine 12'));
  });
  it('are bounded in length and number', () => {
    expect(wordsOf('a'.repeat(5_000))).toEqual(['a'.repeat(40)]);
    expect(wordsOf('word '.repeat(5_000))).toHaveLength(2_000);
  });
  it('are none in blanks, signs and emoji', () => {
    expect(wordsOf(' \n?!… 🦊 \u0007')).toEqual([]);
  });
});

describe('stems', () => {
  it.each([
    ['cooking', 'cooked'],
    ['allergies', 'allergy'],
    ['paintings', 'painted'],
  ])('are shared by %s and %s', (a, b) => expect(stem(a)).toBe(stem(b)));
  it('keep different words apart, and words of other languages as they are', () => {
    expect(stem('cooking')).not.toBe(stem('cooling'));
    expect(stem('mädchen')).toBe('mädchen');
    expect(stem('сестра')).toBe('сестра');
  });
  it('leave out words that say nothing, greetings among them', () => {
    expect(contentStems(wordsOf('Hello, what should I do about the boats?'))).toEqual([stem('boats')]);
    expect(isContent('x')).toBe(false);
    expect(isContent('7')).toBe(true);
    expect(isContent('猫')).toBe(true);
  });
});

it('grams are runs of four characters within words that say something', () => {
  expect(gramsOf(['the', 'boat'])).toEqual([' boa', 'boat', 'oat ']);
  expect(gramsOf(['猫'])).toEqual([' 猫 ']);
  expect(gramsOf(['hello', 'there'])).toEqual([]);
});

it.each([
  ['Where is it?', true],
  ['where do you live', true],
  ['I wonder: why?', true],
  ['I live in Leeds', false],
  ['Is it good. I think so.', false],
  ['Island life suits me', false],
  ['', false],
])('knows whether %j asks: %s', (text, asks) => expect(isQuestion(text)).toBe(asks));

describe('splitting', () => {
  it('leaves a short text whole and drops a blank one', () => {
    expect(splitText('  A boat. ')).toEqual(['A boat.']);
    expect(splitText(' \n ')).toEqual([]);
  });
  it('cuts at a paragraph, else after a sentence, else at a space', () => {
    expect(splitText(`${'a '.repeat(30)}\n\n${'b. '.repeat(30)}`, 100)[0]).toBe('a '.repeat(30).trim());
    expect(splitText(`${'a'.repeat(60)}. ${'b '.repeat(60)}`, 100)[0]).toBe(`${'a'.repeat(60)}.`);
    expect(splitText(`${'a'.repeat(60)} ${'b'.repeat(60)}`, 100)).toEqual(['a'.repeat(60), 'b'.repeat(60)]);
  });
  it.each(['x', 'word ', 'A sentence here. ', 'para\n\n', '🦊', '日本語'])(
    'loses nothing of %j and keeps to the bound',
    (unit) => {
      const text = unit.repeat(1_500);
      const pieces = splitText(text);
      expect(pieces.length).toBeGreaterThan(1);
      expect(pieces.every((piece) => piece.length > 0 && piece.length <= MEMORY_MAX)).toBe(true);
      expect(pieces.join('').replace(/\s/g, '')).toBe(text.replace(/\s/g, ''));
    },
  );
  it('never cuts a character in half', () => {
    for (const piece of splitText(`x${'🦊'.repeat(1_500)}`)) expect(piece.isWellFormed()).toBe(true);
  });
});
