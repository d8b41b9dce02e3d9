import { describe, expect, it } from 'vitest';
import { isContent, readWord, stemOf, wordsOf } from './words.ts';

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
  ])('are shared by %s and %s', (a, b) => expect(stemOf(a)).toBe(stemOf(b)));
  it('keep different words apart, and words of other languages as they are', () => {
    expect(stemOf('cooking')).not.toBe(stemOf('cooling'));
    expect(stemOf('mädchen')).toBe('mädchen');
    expect(stemOf('сестра')).toBe('сестра');
  });
  it('leave out words that say nothing, greetings among them', () => {
    const read = wordsOf('Hello, what should I do about the boats?').map(readWord);
    expect(read.filter(({ hash }) => hash !== 0).map(({ stem }) => stem)).toEqual([stemOf('boats')]);
    expect(isContent('x')).toBe(false);
    expect(isContent('7')).toBe(true);
    expect(isContent('猫')).toBe(true);
  });
});

describe('what is read of a word', () => {
  const grams = (word: string) => readWord(word).grams;
  it('shares runs of four characters with words that are spelled or end alike', () => {
    expect(grams('boat')).toHaveLength(3);
    const shared = grams('photographer').filter((gram) => grams('fotographer').includes(gram));
    expect(shared.length).toBeGreaterThan(6);
    expect(grams('猫')).toHaveLength(1);
  });
  it('is nothing where the word says nothing', () => {
    for (const word of ['hello', 'there', 'x']) expect(readWord(word)).toMatchObject({ hash: 0, grams: [] });
  });
  it('knows the base of forms that no ending betrays', () => {
    expect(readWord('bought').hash).toBe(readWord('buying').hash);
    expect(readWord('children').hash).toBe(readWord('child').hash);
    expect(readWord('lead').hash).not.toBe(readWord('lend').hash);
  });
  it('knows matters that words of everyday talk share', () => {
    const shared = readWord('dogs').concepts.all.filter((concept) => readWord('pet').concepts.named.includes(concept));
    expect(shared).toHaveLength(1);
    expect(readWord('dogs').concepts.all.some((concept) => readWord('salary').concepts.all.includes(concept))).toBe(
      false,
    );
  });
});
