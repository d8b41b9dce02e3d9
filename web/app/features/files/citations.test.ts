import type { Task } from '@atelier/contract/runs';
import { expect, test } from 'vitest';
import { citationsOf } from './file-citations.tsx';

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
