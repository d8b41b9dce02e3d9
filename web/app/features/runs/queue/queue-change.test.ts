import type { QueuedMessage } from '@atelier/contract/runs';
import { expect, test } from 'vitest';
import { changeOf } from './queue-change.ts';

const message = (id: string, reason?: string): QueuedMessage => ({
  id,
  sessionId: 's1',
  inputText: id,
  createdAt: '2026-01-01T00:00:00.000Z',
  state: reason === undefined ? 'waiting' : 'paused',
  ...(reason === undefined ? {} : { reason }),
});
const [a, b] = [message('a'), message('b')];
const NOBODY = new Set<string>();

test('what was queued, sent and paused is told with how many wait', () => {
  expect(changeOf([], [a], NOBODY)).toBe('Queued. 1 message waits.');
  expect(changeOf([a], [a, b], NOBODY)).toBe('Queued. 2 messages wait.');
  expect(changeOf([a, b], [b], NOBODY)).toBe('A waiting message was sent. 1 message waits.');
  expect(changeOf([b], [], NOBODY)).toBe('A waiting message was sent. No message waits.');
  expect(changeOf([a], [message('a', 'You stopped it.')], NOBODY)).toBe('You stopped it. 1 message waits.');
});

test('what says so itself, and what only changes its words, is not told again', () => {
  expect(changeOf([a, b], [b], new Set(['a']))).toBe('');
  expect(changeOf([a], [{ ...a, inputText: 'better' }], NOBODY)).toBe('');
  expect(changeOf([message('a', 'x')], [message('a', 'x')], NOBODY)).toBe('');
});
