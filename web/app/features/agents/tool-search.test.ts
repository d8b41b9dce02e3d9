import type { Tool } from '@atelier/contract/tools';
import { expect, test } from 'vitest';
import { matchingTools } from './tool-picker.tsx';

const tool = (id: string, description: string, server: string | null = null): Tool => ({
  id,
  description,
  server,
  writes: false,
});
const tools = [
  tool('calculator', 'Works out sums.'),
  tool('current_time', 'Tells the time in a city.'),
  tool('notes__add', 'Adds a note.', 'Notes'),
];
const ids = (query: string, first: string[] = []) => matchingTools(tools, query, first).map((t) => t.id);

test('every word has to stand somewhere', () => {
  expect(ids('')).toEqual(['calculator', 'current_time', 'notes__add']);
  expect(ids('current TIME')).toEqual(['current_time']);
  expect(ids('notes')).toEqual(['notes__add']);
  expect(ids('city sums')).toEqual([]);
});

test('what was chosen comes first', () => {
  expect(ids('', ['notes__add'])).toEqual(['notes__add', 'calculator', 'current_time']);
});
