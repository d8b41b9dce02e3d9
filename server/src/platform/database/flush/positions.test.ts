import { expect, test } from 'vitest';
import { isSegment, lastPage, neededOf } from './positions.ts';

test('the last page of a segment is where PostgreSQL counts it', () => {
  expect(lastPage('000000010000000A000000FF', 8192)).toBe(0xa_ff00_0000);
  expect(lastPage('000000010000000000000001', 16 * 1024 * 1024)).toBe(0x1ff_e000);
  expect(lastPage('xlogtemp.42', 8192)).toBe(0);
  expect(isSegment('00000001.history')).toBe(false);
});

test('pages need the log up to the highest position that one of them names', () => {
  const pages = Buffer.alloc(3 * 8192);
  expect(neededOf(pages)).toBe(0);
  pages.writeUInt32LE(2, 8192);
  pages.writeUInt32LE(0x10, 8196);
  pages.writeUInt32LE(0xffff_ffff, 16_388);
  expect(neededOf(pages)).toBe(0x2_0000_0010);
  expect(neededOf(pages.subarray(1))).toBe(Number.POSITIVE_INFINITY);
});
