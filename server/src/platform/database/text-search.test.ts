import { expect, test } from 'vitest';
import { passageParts, searchWords } from './text-search.ts';

test('only words are searched for, whatever is typed', () => {
  expect(searchWords("  Peanuts & 'Fjords' | (tra:*) <-> \\ ")).toEqual(['peanuts', 'fjords', 'tra']);
  expect(searchWords("'; drop table tasks; --")).toEqual(['drop', 'table', 'tasks']);
  expect(searchWords('旅の手帳 Straße ﬁn')).toEqual(['旅の手帳', 'straße', 'fin']);
  expect(searchWords('&|!:*')).toEqual([]);
  expect(searchWords('a '.repeat(100))).toHaveLength(12);
});

test('a marked passage is taken apart', () => {
  expect(passageParts('allergic to \u0002peanuts\u0003 and \u0002nuts\u0003')).toEqual([
    { text: 'allergic to ', hit: false },
    { text: 'peanuts', hit: true },
    { text: ' and ', hit: false },
    { text: 'nuts', hit: true },
  ]);
  expect(passageParts('')).toEqual([]);
});
