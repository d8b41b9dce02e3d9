import type { MemoryItem } from '@atelier/contract/memory';
import { expect, test } from 'vitest';
import { countMemories, percent, speakerOf } from './receipt.ts';

const item = (kind: MemoryItem['kind']): MemoryItem => ({
  id: 'm1',
  kind,
  text: 'My sister is allergic to peanuts',
  timestamp: '2026-01-01T00:00:00.000Z',
  score: 0.9,
});

test('the chip counts in words', () => {
  expect([1, 2].map(countMemories)).toEqual(['1 memory', '2 memories']);
});

test('each memory names who said it', () => {
  expect(speakerOf(item('person'), 'Field Notes')).toBe('You');
  expect(speakerOf(item('agent'), 'Field Notes')).toBe('Field Notes');
  expect(speakerOf(item('file'), 'Field Notes')).toBe('File');
});

test('a score outside of its range is still a percentage', () => {
  expect([0.873, 1.4, -1].map(percent)).toEqual(['87%', '100%', '0%']);
});
