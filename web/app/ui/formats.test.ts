import { afterEach, expect, test, vi } from 'vitest';
import { dayOf, formatDay, minuteOf, monthOf, secondOf, shortTimeOf, sizeText } from './formats.ts';

afterEach(() => void vi.useRealTimers());

test('of today the time is enough, of other days the day', () => {
  vi.useFakeTimers({ now: new Date(2026, 10, 23, 18, 0) });
  const short = (...parts: [number, number, number, number, number]) => shortTimeOf(new Date(...parts).toISOString());
  expect(short(2026, 10, 23, 9, 5)).toBe('09:05');
  expect(short(2026, 10, 22, 23, 59)).toBe('22 Nov 2026');
});

test('dates are those of British English', () => {
  const format = (instant: string, options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat('en-GB', options).format(new Date(instant));
  for (let month = 0; month < 12; month += 1) {
    const instant = new Date(2026, month, 1 + 2 * month, 2 * month, 5, month).toISOString();
    const day = instant.slice(0, 10);
    expect(dayOf(instant)).toBe(format(instant, { dateStyle: 'medium' }));
    expect(minuteOf(instant)).toBe(format(instant, { dateStyle: 'medium', timeStyle: 'short' }));
    expect(secondOf(instant)).toBe(format(instant, { dateStyle: 'medium', timeStyle: 'medium' }));
    expect(monthOf(instant)).toBe(format(instant, { month: 'long', year: 'numeric' }));
    expect(formatDay(day)).toBe(format(day, { timeZone: 'UTC', day: 'numeric', month: 'short' }));
  }
});

test('an invalid date is a dash', () => {
  for (const format of [dayOf, minuteOf, secondOf, shortTimeOf, monthOf, formatDay]) {
    expect(format('')).toBe('—');
    expect(format('2026-13-45T00:00:00Z')).toBe('—');
  }
});

test('sizes', () => {
  expect([820, 12_300, 3_565_158].map(sizeText)).toEqual(['820 B', '12 KB', '3.4 MB']);
});
