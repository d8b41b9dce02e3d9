import { afterEach, expect, test, vi } from 'vitest';
import { shortTimeOf, sizeText } from './formats.ts';

afterEach(() => void vi.useRealTimers());

test('of today the time is enough, of other days the day', () => {
  vi.useFakeTimers({ now: new Date(2026, 10, 23, 18, 0) });
  const short = (...parts: [number, number, number, number, number]) => shortTimeOf(new Date(...parts).toISOString());
  expect(short(2026, 10, 23, 9, 5)).toBe('09:05');
  expect(short(2026, 10, 22, 23, 59)).toBe('22 Nov 2026');
});

test('sizes', () => {
  expect([820, 12_300, 3_565_158].map(sizeText)).toEqual(['820 B', '12 KB', '3.4 MB']);
});
