import { expect, it } from 'vitest';
import { plainWords } from './plain-words.ts';

it.each([
  ['Oslo is **lovely** in _May_, see [the guide](https://example.com).', 'Oslo is lovely in May, see the guide.'],
  ['# Nora\n\n- no peanuts\n- no ~~nuts~~\n  1. ever', 'Nora\nno peanuts\nno nuts\never'],
  ['| a | b |\n|---|---|\n| 1 | **2** |', 'a · b\n1 · 2'],
  ['`npm start`\n\n```js\nlet a = 1;\n```', 'npm start\nlet a = 1;'],
  ['> said  \n> twice', 'said\ntwice'],
  ['![a cat](cat.png) sat', 'a cat sat'],
  ['It is <b>bold</b> & 2 * 3 * 4 = 24', 'It is bold & 2 * 3 * 4 = 24'],
  ['a snake_case_name', 'a snake_case_name'],
  ['- [x] done', 'done'],
  ['H<sub>2</sub>O<br>见**「这」**里', 'H2O\n见「这」里'],
  ['| a |\n|---|\n| 1<br>2 |', 'a\n1 2'],
  ['---', '---'],
  ['', ''],
])('%j reads %j', (markdown, words) => {
  expect(plainWords(markdown)).toBe(words);
});

it.each(['[', '*', '<', '![', '|', '- ', '> ', '~', 'a*_', '[a](', '|\n'])(
  'gives a heap of %j back as it is',
  (part) => {
    const heap = part.repeat(4_000);
    expect(plainWords(heap)).toBe(heap);
  },
);

it('gives 10 MB back as they are', () => {
  const long = '**见**https://a.example。 '.repeat(10_000_000 / 24);
  expect(plainWords(long)).toBe(long);
  const few = `**${'词'.repeat(10_000_000)}**`;
  expect(plainWords(few)).toBe(few);
});
