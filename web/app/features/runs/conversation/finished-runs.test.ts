import type { TaskStatus } from '@atelier/contract/runs';
import { expect, test } from 'vitest';
import { task } from '../test-task.ts';
import { finishedSince } from './use-answered.ts';

const run = (id: string, status: TaskStatus) => task({ id, status });
const watch = (statuses: Record<string, TaskStatus>, started: string[] = [], reported: string[] = []) => ({
  statuses: new Map(Object.entries(statuses)),
  started: new Set(started),
  reported: new Set(reported),
});

test('a run seen running and now at its end is reported, whatever the end', () => {
  const ends = finishedSince(watch({ a: 'running', b: 'waiting', c: 'running' }), [
    run('a', 'done'),
    run('b', 'failed'),
    run('c', 'running'),
  ]);
  expect(ends.map((t) => t.id)).toEqual(['a', 'b']);
});

test('history that was loaded finished is silent', () => {
  expect(finishedSince(watch({}), [run('a', 'done')])).toEqual([]);
  expect(finishedSince(watch({ a: 'done' }), [run('a', 'done')])).toEqual([]);
});

test('a run started here counts once though it was never seen running, or its end was seen before the server had taken it', () => {
  expect(finishedSince(watch({}, ['a']), [run('a', 'failed')]).map((t) => t.id)).toEqual(['a']);
  expect(finishedSince(watch({ a: 'done' }, ['a']), [run('a', 'done')]).map((t) => t.id)).toEqual(['a']);
  expect(finishedSince(watch({ a: 'running' }, ['a'], ['a']), [run('a', 'done')])).toEqual([]);
});
