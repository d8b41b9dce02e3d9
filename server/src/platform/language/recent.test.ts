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

it('keeps at least as many, and at most twice as many', () => {
  const last = (count: number) => {
    const recent = new Recent<number>(10);
    for (let i = 0; i < 1_000; i += 1) recent.set(`${i}`, i);
    // Asking for the youngest first, because asking counts as use.
    return Array.from({ length: count }, (_, i) => recent.get(`${999 - i}`)).filter((value) => value !== undefined);
  };
  expect(last(10)).toEqual([999, 998, 997, 996, 995, 994, 993, 992, 991, 990]);
  expect(last(1_000).length).toBeLessThanOrEqual(20);
});
