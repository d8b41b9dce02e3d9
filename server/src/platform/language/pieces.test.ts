import { expect, it } from 'vitest';
import { piecesOf, writePieces } from './pieces.ts';

const TEXT = [
  '## Day one',
  '',
  'We arrive early. It rains **a lot. Really so.** Bring a coat.',
  '',
  'Options:',
  '- Take the tram to Belém. It is slow.',
  '- Take the bus',
  '',
  '| City | Days |',
  '|---|---|',
  '| Porto | 3 |',
  '| Lisbon | 5 |',
  '',
  '```ts',
  'const a = 1;',
  'const b = 2;',
  '```',
  'The end of it.',
].join('\n');
const pieces = piecesOf(TEXT);
const write = (...starts: string[]) =>
  writePieces(
    TEXT,
    pieces,
    new Set(pieces.flatMap(({ text }, at) => (starts.some((s) => text.startsWith(s)) ? [at] : []))),
  );

it('takes a text apart into sentences, rows and lines of code', () => {
  expect(pieces.map(({ kind, text }) => `${kind}: ${text}`)).toEqual([
    'heading: Day one',
    'prose: We arrive early.',
    'prose: It rains **a lot.',
    'prose: Really so.**',
    'prose: Bring a coat.',
    'prose: Options:',
    'item: Take the tram to Belém.',
    'item: It is slow.',
    'item: Take the bus',
    'row: | City | Days |',
    'row: | Porto | 3 |',
    'row: | Lisbon | 5 |',
    'code: const a = 1;',
    'code: const b = 2;',
    'prose: The end of it.',
  ]);
});

it.each([
  [['We arrive', 'Bring'], '… We arrive early. … Bring a coat. …'],
  [['It rains'], '… It rains a lot. …'],
  [['Day one', 'Bring'], '## Day one …\n\nBring a coat. …'],
  [['Options', 'Take the bus'], '… Options: …\n\n- Take the bus …'],
  [['It is slow'], '- It is slow. …'],
  [['| City', '| Lisbon'], '| City | Days |\n|---|---|\n| … | … |\n| Lisbon | 5 |\n| … | … |'],
  [['| Lisbon'], '… Lisbon · 5 …'],
  [['const a', 'The end'], '```ts\nconst a = 1;\n…\n```\n\nThe end of it.'],
])('writes %j as Markdown with what was left out marked', (starts, expected) => {
  expect(write(...starts)).toBe(expected);
});

it('gives the very text when nothing is left out', () => {
  expect(writePieces(TEXT, pieces, new Set(pieces.keys()))).toBe(TEXT);
});

it('knows the rest of a block of code that was cut', () => {
  const rest = 'const b = 2;\nconst c = 3;\n```\nThat is all there is.';
  expect(piecesOf(rest).map(({ kind }) => kind)).toEqual(['code', 'code', 'prose']);
  expect(writePieces(rest, piecesOf(rest), new Set([1]))).toBe('```\nconst c = 3;\n…\n```');
});
