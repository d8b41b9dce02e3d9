import { describe, expect, it } from 'vitest';
import { makeTexts } from '../../../../bench/made-texts.ts';
import { languageOf, stemOf } from './stems.ts';
import { isContent, readWord, readWords, stemsOf, wordsOf } from './words.ts';

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
      '猫が',
      'が好',
      '好き',
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
  it.each([
    ['Meine Schwestern wohnen in großen Häusern', 'Welche Schwester wohnt in einem Haus?'],
    ['Mes sœurs habitent chez des médecins', 'Est-ce que ma sœur habite chez le médecin ?'],
    ['Mis hermanas son alérgicas', 'Mi hermana es alérgica'],
    ['As minhas vizinhas moram em Faro', 'Onde mora a minha vizinha?'],
    ['Le mie vicine abitano a Torino', 'Dove abita la mia vicina?'],
    ['Mijn katten slapen in manden', 'Slaapt mijn kat in de mand?'],
  ])('are those of a text’s own language: “%s”', (one, other) => {
    expect([...stemsOf(one)].filter((stem) => stemsOf(other).has(stem)).length).toBeGreaterThanOrEqual(2);
  });
  it.each([
    ['المدرسة', 'مدرسة'],
    ['сестра', 'сестру'],
    ['γάτα', 'γάτες'],
    ['여동생은', '여동생에게'],
    ['고양이', '고양이가'],
    ['학교', '학교에서는'],
  ])('are told by the script where one is enough: %s and %s', (a, b) => expect(stemOf(a)).toBe(stemOf(b)));
  it('of English are not taken for others, whatever names stand among them', () => {
    for (const text of ['Ben is afraid of speaking in front of customers', 'Al has a son', 'Mia met Dan in Rome'])
      expect(stemsOf(text)).toEqual(
        new Set(
          wordsOf(text)
            .filter((word) => isContent(word))
            .map((word) => stemOf(word)),
        ),
      );
  });
  it('keep different words apart, and words that no language is told by as they are', () => {
    expect(stemOf('cooking')).not.toBe(stemOf('cooling'));
    expect(stemOf('mädchen')).toBe('mädchen');
    expect(stemOf('猫が')).toBe('猫が');
    expect(['나이', '회의', '차를'].map((word) => stemOf(word))).toEqual(['나이', '회의', '차를']);
  });
  it('leave out words that say nothing, greetings among them', () => {
    const read = wordsOf('Hello, what should I do about the boats?').map((word) => readWord(word));
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

const slowly = (text: string) => {
  const words = wordsOf(text).map((word) => readWord(word));
  return words.map((word) => readWord(word.text, languageOf(words)));
};

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
