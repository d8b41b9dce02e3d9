import { expect, test } from 'vitest';
import { areUnlogged } from './flusher.ts';

test('a page with a position in the log is logged, and whatever is no page', () => {
  const pages = Buffer.alloc(3 * 8192);
  pages.fill(7, 100, 200);
  expect(areUnlogged(pages)).toBe(true);
  expect(areUnlogged(pages.subarray(1))).toBe(false);
  pages.writeUInt32LE(1, 8192 + 4);
  expect(areUnlogged(pages)).toBe(false);
});
