import { expect, it } from 'vitest';
import { keepRecent } from './recent.ts';

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
  lengthOf('bb');
  expect(read).toEqual(['a', 'bb', 'ccc', 'bb']);
});
