import { expect, it } from 'vitest';
import { ROW } from './bm25.ts';

it('counts repetition less and less, and a term in a long row less', () => {
  const share = (times: number, length: number) => ROW.share(times, length, 10);
  const [once, twice, often, inLong] = [share(1, 10), share(2, 10), share(6, 10), share(1, 40)];
  expect(twice).toBeGreaterThan(once);
  expect(often - twice).toBeLessThan(4 * (twice - once));
  expect(inLong).toBeLessThan(once);
  expect(often).toBeLessThan(1);
});

it('gives what the formula gives', () => {
  expect(ROW.share(2, 15, 10)).toBeCloseTo(2 / (2 + 0.9 * (1 - 0.4 + (0.4 * 15) / 10)), 12);
});
