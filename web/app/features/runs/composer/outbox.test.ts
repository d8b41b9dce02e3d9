import type { Task } from '@atelier/contract/runs';
import { describe, expect, test } from 'vitest';
import { memoryStorage } from '../../../lib/typed/memory-storage.ts';
import { createWords } from '../../../lib/typed/words.ts';
import { beginSend, createOutbox, failSend, hasArrived, isUnanswered, parseSend } from './outbox.ts';

const draft = { agentId: 'field-notes', inputText: 'Hello', afterTaskId: 't1' };
const task = (id: string, inputText: string, retryOf?: string): Task => ({
  id,
  sessionId: 's1',
  parentId: 'before',
  siblings: [],
  timestamp: '2026-01-01T00:00:00.000Z',
  agentName: 'Field Notes',
  inputText,
  message: '',
  seq: 0,
  status: 'running',
  model: 'gpt-4',
  memoryUsed: [],
  toolCalls: [],
  usage: null,
  retryOf,
});

describe('beginSend', () => {
  const unanswered = failSend(beginSend(undefined, draft, 'k1'), 'No answer.', false, true);

  test('the same words after an unanswered attempt keep their key and their place', () => {
    const again = beginSend(unanswered, { ...draft, afterTaskId: 't5' }, 'k2');
    expect(again).toMatchObject({ key: 'k1', afterTaskId: 't1', phase: 'sending', error: '' });
  });

  test('other words, another agent or a refused attempt take a fresh key', () => {
    expect(beginSend(unanswered, { ...draft, inputText: 'Other' }, 'k2').key).toBe('k2');
    expect(beginSend(unanswered, { ...draft, agentId: 'other' }, 'k2').key).toBe('k2');
    const refused = failSend(beginSend(undefined, draft, 'k1'), 'Limit.', true, true);
    expect(beginSend(refused, draft, 'k2').key).toBe('k2');
  });

  test('a second press while the first is under way is another message', () => {
    expect(beginSend(beginSend(undefined, draft, 'k1'), draft, 'k2').key).toBe('k2');
  });
});

test('a failed send returns to a free composer and waits in the timeline beside a busy one', () => {
  const send = beginSend(undefined, draft, 'k1');
  expect(failSend(send, 'No.', true, true).phase).toBe('returned');
  expect(failSend(send, 'No.', true, false)).toMatchObject({ phase: 'failed', error: 'No.', inputText: 'Hello' });
});

test('a send has arrived when its words stand behind the task that was last', () => {
  const send = beginSend(undefined, draft, 'k1');
  expect(hasArrived(send, [task('t0', 'Hello'), task('t1', 'Hi')])).toBe(false);
  expect(hasArrived(send, [task('t1', 'Hi'), task('t2', 'Hello')])).toBe(true);
  expect(hasArrived(send, [task('t1', 'Hi'), task('t2', 'Hello', 't0')])).toBe(false);
  expect(hasArrived(beginSend(undefined, { ...draft, afterTaskId: null }, 'k'), [task('t1', 'Hello')])).toBe(true);
});

test('what was under way before a reload is taken up as unanswered', () => {
  const sent = JSON.stringify(beginSend(undefined, draft, 'k1'));
  expect(parseSend(sent)).toMatchObject({ key: 'k1', phase: 'failed', refused: false });
  expect(parseSend('{broken')).toBeUndefined();
  expect(parseSend(null)).toBeUndefined();
});

test('a key that every plain object has stands for no message', () => {
  const outbox = createOutbox(createWords(memoryStorage(), () => 'ada'));
  for (const key of ['constructor', '__proto__']) {
    expect(outbox.read(key)).toBeUndefined();
    outbox.write(key, beginSend(undefined, draft, 'k1'));
    expect(outbox.read(key)).toMatchObject({ key: 'k1' });
  }
});

test('only silence and faults beyond the application leave the outcome open', () => {
  expect([0, 500, 503].every(isUnanswered)).toBe(true);
  expect([400, 402, 409, 413].some(isUnanswered)).toBe(false);
});
