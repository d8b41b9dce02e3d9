import type { Task } from '@atelier/contract/runs';
import { expect, test } from 'vitest';
import { citationsOf, refusal, sizeText } from './file-text.ts';

test('sizes', () => {
  expect([820, 12_300, 3_565_158].map(sizeText)).toEqual(['820 B', '12 KB', '3.4 MB']);
});

test('what can’t be read is known before it is sent', () => {
  expect(refusal({ name: 'a.exe', size: 1 })).toMatch(/Only text/);
  expect(refusal({ name: 'a.txt', size: 0 })).toMatch(/empty/);
  expect(refusal({ name: 'a.PDF', size: 11 * 1024 * 1024 })).toMatch(/10 MB/);
  expect(refusal({ name: 'a.PDF', size: 1 })).toBeUndefined();
});

test('an answer cites the places that it names, each once', () => {
  const passage = (place: string) => ({ fileId: 'f1', file: 'harbour.pdf', place, text: 'x' });
  const memory = { id: 'm', kind: 'file' as const, text: 'x', timestamp: '2026-01-01T00:00:00.000Z', score: 1 };
  const task: Pick<Task, 'message' | 'memoryUsed' | 'toolCalls'> = {
    message: 'From the file “harbour.pdf, page 3”: …, and "lines 1-40"',
    memoryUsed: [{ ...memory, fileId: 'f1', fileName: 'harbour.pdf', place: 'page 3' }],
    toolCalls: [
      {
        id: 'c',
        name: 'search_files',
        state: 'done',
        output: { passages: [passage('page 3'), passage('page 7'), passage('lines 1–40')] },
      },
    ],
  };
  expect(citationsOf(task).map((c) => c.place)).toEqual(['page 3', 'lines 1–40']);
  expect(citationsOf({ ...task, message: 'Nothing.' })).toEqual([]);
});
