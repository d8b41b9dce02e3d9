import { expect, test } from 'vitest';
import { plainPassage } from './plain-passage.ts';

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
