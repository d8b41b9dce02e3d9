import { expect, test } from 'vitest';
import { lookAgain } from './query.ts';

test('a search that was late looks again beyond the ten seconds for which the server spares a provider, and does not hurry', () => {
  const pauses = Array.from({ length: 8 }, (_, i) => lookAgain(true, i + 1));
  expect(pauses).toEqual([1_500, 3_000, 6_000, 12_000, 24_000, 30_000, 30_000, 30_000]);
  expect(lookAgain(false, 1)).toBe(false);
});
