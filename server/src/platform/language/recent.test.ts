import { expect, it } from 'vitest';
import { keepRecent, Recent } from './recent.ts';

it('keeps the latest results, and forgets what was asked for longest ago', () => {
  const read: string[] = [];
  const lengthOf = keepRecent(2, (text) => {
    read.push(text);
    return { length: text.length };
  });
  const first = lengthOf('a');
  lengthOf('bb');
  expect(lengthOf('a')).toBe(first);
  expect(lengthOf('ccc')).toEqual({ length: 3 });
  expect(lengthOf('a')).toBe(first);
  expect(read).toEqual(['a', 'bb', 'ccc']);
  lengthOf('dddd');
  expect(lengthOf('a')).toBe(first);
  lengthOf('bb');
  expect(read).toEqual(['a', 'bb', 'ccc', 'dddd', 'bb']);
});

it('keeps at most twice as many, and gives a value up when it is taken', () => {
  const recent = new Recent<number>(10);
  for (let i = 0; i < 1_000; i += 1) recent.set(`${i}`, i);
  const held = Array.from({ length: 1_000 }, (_, i) => recent.take(`${i}`)).filter((value) => value !== undefined);
  expect(held.length).toBeGreaterThanOrEqual(10);
  expect(held.length).toBeLessThanOrEqual(20);
  expect(held.slice(-10)).toEqual([990, 991, 992, 993, 994, 995, 996, 997, 998, 999]);
  expect(recent.take('999')).toBeUndefined();
});
