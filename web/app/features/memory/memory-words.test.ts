import { expect, it } from 'vitest';
import { memoryWords } from './memory-words.ts';

it('reads answers and Markdown files without their marks, and everything else as it was written', () => {
  const text = '**Oslo** is a_b_c';
  expect(memoryWords({ kind: 'agent', text })).toBe('Oslo is a_b_c');
  expect(memoryWords({ kind: 'file', fileName: 'trip.md', text })).toBe('Oslo is a_b_c');
  expect(memoryWords({ kind: 'file', fileName: 'trip.txt', text })).toBe(text);
  expect(memoryWords({ kind: 'person', text })).toBe(text);
});
