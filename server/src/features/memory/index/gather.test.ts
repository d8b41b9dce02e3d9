import { expect, it } from 'vitest';
import { makeQuestions, makeTexts } from '../../../../../bench/made-texts.ts';
import { readWords, type Word } from '../../../platform/language/words.ts';
import { ROW } from './bm25.ts';
import { gather } from './gather.ts';
import { MemoryIndex } from './memory-index.ts';
import { idfOf } from './postings.ts';
import { readQuery } from './query.ts';

type Terms = (word: Word) => readonly number[];

/** BM25 of a text among others, worked out from the texts alone. */
function plainly(texts: string[], terms: Terms, asked: number[]): number[] {
  const bags = texts.map((text) => readWords(text).flatMap(terms));
  const mean = bags.reduce((sum, bag) => sum + bag.length, 0) / bags.length;
  return bags.map((bag) => {
    let sum = 0;
    for (const term of asked) {
      const times = bag.filter((one) => one === term).length;
      const held = bags.filter((other) => other.includes(term)).length;
      if (times > 0) sum += idfOf(bags.length, held) * ROW.share(times, bag.length, mean);
    }
    return sum;
  });
}

const LINES = [
  'Bananas! A banana, and another banana for the bandana.',
  'We have a cat, a dog and two more pets; the dogs bark',
  'Thank you, and hello',
  '',
];

it('sums up what texts hold of a question as plain counting does, also after some were forgotten', () => {
  const texts = [...LINES, ...makeTexts(80)];
  const index = new MemoryIndex();
  for (const [i, text] of texts.entries())
    index.add({ id: String(i), sessionId: String(i % 7), kind: 'agent', speaker: null, text, at: 0 });
  const gone = [0, 5, 6, 77];
  for (const round of ['all', 'some forgotten']) {
    const living = texts
      .map((text, row) => ({ text, row }))
      .filter(({ row }) => round === 'all' || !gone.includes(row));
    const plain = living.map(({ text }) => text);
    for (const question of ['Which pets and bananas do we have?', ...makeQuestions(8)]) {
      const query = readQuery(question, index);
      const { sums } = gather(index, query);
      const read = (column: Float32Array) => living.map(({ row }) => (sums.isTouched(row) ? (column[row] ?? 0) : 0));
      const wanted: [Float32Array, number[]][] = [
        [
          sums.words,
          plainly(
            plain,
            ({ hash }) => (hash === 0 ? [] : [hash]),
            query.terms.map(({ hash }) => hash),
          ),
        ],
        [sums.grams, plainly(plain, ({ grams }) => grams, query.grams)],
        [sums.concepts, plainly(plain, ({ concepts }) => concepts.all, query.matters)],
      ];
      for (const [column, expected] of wanted) {
        for (const [at, value] of read(column).entries()) expect(value).toBeCloseTo(expected[at] ?? 0, 3);
      }
    }
    index.forget(gone.map(String));
  }
});
