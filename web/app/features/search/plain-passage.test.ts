import { expect, test } from 'vitest';
import { plainPassage } from './search-results.ts';

test('marks of Markdown go, hits stay', () => {
  const passage = [
    { text: 'we take the **slow ', hit: false },
    { text: 'trains', hit: true },
    { text: '** by `coast`', hit: false },
  ];
  expect(plainPassage(passage)).toEqual([
    { text: 'we take the slow ', hit: false },
    { text: 'trains', hit: true },
    { text: ' by coast', hit: false },
  ]);
});

const shown = (text: string) => plainPassage([{ text, hit: false }]).map((part) => part.text);

test('a bold part that is cut leaves no mark, and a power stays', () => {
  expect(shown('slow trains** by the coast')).toEqual(['slow trains by the coast']);
  expect(shown('we take **slow trains')).toEqual(['we take slow trains']);
  expect(shown('2**10 and 2 ** 10')).toEqual(['2**10 and 2 ** 10']);
});

test('an emphasized part that is cut leaves no mark, and other stars stay', () => {
  expect(shown('I am Field Notes.* From earlier')).toEqual(['I am Field Notes. From earlier']);
  expect(shown('we take *slow trains')).toEqual(['we take slow trains']);
  expect(
    plainPassage([
      { text: 'by *', hit: false },
      { text: 'tea', hit: true },
    ]),
  ).toEqual([
    { text: 'by ', hit: false },
    { text: 'tea', hit: true },
  ]);
  for (const kept of ['2 * 3 and 2*3', 'a 5* hotel', 'all *.ts files']) expect(shown(kept)).toEqual([kept]);
});

test('a hit that is all of a mark, and a passage without any', () => {
  expect(
    plainPassage([
      { text: '**', hit: false },
      { text: 'tea', hit: true },
      { text: '**', hit: false },
    ]),
  ).toEqual([{ text: 'tea', hit: true }]);
  expect(plainPassage([])).toEqual([]);
});
