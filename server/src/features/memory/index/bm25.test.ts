import { expect, it } from 'vitest';
import { WORDS } from './bm25.ts';

it('counts repetition less and less, and a term in a long row less', () => {
  const [once, twice, often, inLong] = [WORDS.share(1, 10), WORDS.share(2, 10), WORDS.share(6, 10), WORDS.share(1, 40)];
  expect(twice).toBeGreaterThan(once);
  expect(often - twice).toBeLessThan(4 * (twice - once));
  expect(inLong).toBeLessThan(once);
  expect(often).toBeLessThan(1);
});

it('gives what the formula gives', () => {
  expect(WORDS.share(2, 15)).toBeCloseTo(2 / (2 + 0.9 * (1 - 0.4 + (0.4 * 15) / 10)), 12);
});
