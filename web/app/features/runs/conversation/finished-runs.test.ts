import type { Task, TaskStatus } from '@atelier/contract/runs';
import { expect, test } from 'vitest';
import { finishedSince } from './use-answered.ts';

const task = (id: string, status: TaskStatus): Task => ({
  id,
  sessionId: 's1',
  parentId: 'before',
  siblings: [],
  timestamp: '2026-01-01T00:00:00.000Z',
  agentName: 'Field Notes',
  inputText: 'Hello',
  message: '',
  seq: 0,
  status,
  model: 'gpt-4',
  memoryUsed: [],
  toolCalls: [],
  usage: null,
});
const watch = (statuses: Record<string, TaskStatus>, started: string[] = [], reported: string[] = []) => ({
  statuses: new Map(Object.entries(statuses)),
  started: new Set(started),
  reported: new Set(reported),
});

test('a run seen running and now at its end is reported, whatever the end', () => {
  const ends = finishedSince(watch({ a: 'running', b: 'waiting', c: 'running' }), [
    task('a', 'done'),
    task('b', 'failed'),
    task('c', 'running'),
  ]);
  expect(ends.map((t) => t.id)).toEqual(['a', 'b']);
});

test('history that was loaded finished is silent', () => {
  expect(finishedSince(watch({}), [task('a', 'done')])).toEqual([]);
  expect(finishedSince(watch({ a: 'done' }), [task('a', 'done')])).toEqual([]);
});

test('a run started here counts once though it was never seen running, or its end was seen before the server had taken it', () => {
  expect(finishedSince(watch({}, ['a']), [task('a', 'failed')]).map((t) => t.id)).toEqual(['a']);
  expect(finishedSince(watch({ a: 'done' }, ['a']), [task('a', 'done')]).map((t) => t.id)).toEqual(['a']);
  expect(finishedSince(watch({ a: 'running' }, ['a'], ['a']), [task('a', 'done')])).toEqual([]);
});
