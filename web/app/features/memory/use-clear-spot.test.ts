import { expect, it } from 'vitest';
import { findPlace } from './use-clear-spot.ts';

const box = (left: number, top: number, right: number, bottom: number) => ({ left, top, right, bottom });
const card = box(12, 64, 378, 220);
const dock = box(0, 700, 390, 800);

it.each([
  ['under the header, over a question far above the answer', box(16, 400, 374, 690), 'top'],
  ['above the composer, under an answer that stands high', box(16, 150, 374, 300), 'bottom'],
  ['in the header, while the answer fills the window', box(16, 60, 374, 700), 'slim'],
  ['under the header, while the answer is scrolled away', null, 'top'],
])('stands %s', (_, answer, place) => {
  expect(findPlace(card, { answer, dock }, 'top')).toBe(place);
});

it('stands beside the answer where the window is wide', () => {
  expect(
    findPlace(box(1500, 64, 1884, 220), { answer: box(700, 60, 1468, 700), dock: box(288, 800, 1900, 1000) }, 'top'),
  ).toBe('top');
});

it('never covers the composer of a low window, and does not come back from where it went', () => {
  expect(findPlace(card, { answer: null, dock: box(0, 150, 390, 300) }, 'top')).toBe('slim');
  expect(findPlace(card, { answer: null, dock }, 'slim')).toBe('slim');
});
