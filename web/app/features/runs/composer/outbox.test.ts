import type { Attachment } from '@atelier/contract/attachments/attachments';
import type { QueuedMessage } from '@atelier/contract/runs';
import { describe, expect, test } from 'vitest';
import { memoryStorage } from '../../../lib/typed/memory-storage.ts';
import { createWords, type KeyValue } from '../../../lib/typed/words.ts';
import { task } from '../test-task.ts';
import { beginSend, createOutbox, failSend, hasArrived, isUnanswered, type Send } from './outbox.ts';

const draft = { agentId: 'field-notes', inputText: 'Hello', afterTaskId: 't1' };
const saying = (id: string, inputText: string, retryOf?: string) => task({ id, inputText, retryOf });

describe('beginSend', () => {
  const unanswered = failSend(beginSend([], draft, 'k1'), 'No answer.', false, true);

  test('the same words after an unanswered attempt keep their key and their place', () => {
    const again = beginSend([unanswered], { ...draft, afterTaskId: 't5' }, 'k2');
    expect(again).toMatchObject({ key: 'k1', afterTaskId: 't1', phase: 'sending', error: '' });
  });

  test('other words, another agent or a refused attempt take a fresh key', () => {
    expect(beginSend([unanswered], { ...draft, inputText: 'Other' }, 'k2').key).toBe('k2');
    expect(beginSend([unanswered], { ...draft, agentId: 'other' }, 'k2').key).toBe('k2');
    const attachments = [{ id: 'kiln' } as Attachment];
    expect(beginSend([unanswered], { ...draft, attachments }, 'k2').key).toBe('k2');
    const refused = failSend(beginSend([], draft, 'k1'), 'Limit.', true, true);
    expect(beginSend([refused], draft, 'k2').key).toBe('k2');
  });

  test('a second press while the first is under way is another message', () => {
    expect(beginSend([beginSend([], draft, 'k1')], draft, 'k2').key).toBe('k2');
  });
});

test('a failed send returns to a free composer and waits in the timeline beside a busy one', () => {
  const send = beginSend([], draft, 'k1');
  expect(failSend(send, 'No.', true, true).phase).toBe('returned');
  expect(failSend(send, 'No.', true, false)).toMatchObject({ phase: 'failed', error: 'No.', inputText: 'Hello' });
});

test('a send has arrived when its words stand behind the task that was last', () => {
  const send = beginSend([], draft, 'k1');
  expect(hasArrived(send, [saying('t0', 'Hello'), saying('t1', 'Hi')])).toBe(false);
  expect(hasArrived(send, [saying('t1', 'Hi'), saying('t2', 'Hello')])).toBe(true);
  expect(hasArrived(send, [saying('t1', 'Hi'), saying('t2', 'Hello', 't0')])).toBe(false);
  expect(hasArrived(beginSend([], { ...draft, afterTaskId: null }, 'k'), [saying('t1', 'Hello')])).toBe(true);
});

test('what may wait has arrived when its words stand in the queue, too', () => {
  const queue = [{ inputText: 'Hello' } as QueuedMessage];
  const waits = beginSend([], { ...draft, whenBusy: 'queue' }, 'k1');
  expect(hasArrived(waits, [], queue)).toBe(true);
  expect(hasArrived(waits, [saying('t1', 'Hi'), saying('t2', 'Hello')], [])).toBe(true);
  expect(hasArrived(beginSend([], draft, 'k1'), [], queue)).toBe(false);
});

describe('an outbox', () => {
  const words = () => createWords(memoryStorage(), () => 'ada');
  const counter =
    (n = 0) =>
    () =>
      `k${(n += 1)}`;
  const open = (kept = words(), tab: KeyValue | null = null) => createOutbox(kept, tab, counter());

  test('what was under way before a reload is taken up as unanswered, with its key', () => {
    const kept = words();
    const before = open(kept);
    before.begin('s1', draft);
    before.begin('s1', { ...draft, inputText: 'Behind it', whenBusy: 'queue', phase: 'queueing' });
    const reloaded = createOutbox(kept, null, () => 'fresh');
    expect(reloaded.read('s1')).toMatchObject([
      { key: 'k1', phase: 'failed', refused: false },
      { key: 'k2', phase: 'returned', refused: false },
    ]);
    expect(reloaded.begin('s1', { ...draft, inputText: 'Behind it' })).toMatchObject({ key: 'k2', whenBusy: 'queue' });
    expect(reloaded.read('s1').map(({ key }) => key)).toEqual(['k1', 'k2']);
    reloaded.remove('s1', 'k1');
    reloaded.remove('s1', 'k2');
    expect(createOutbox(kept).read('s1')).toEqual([]);
    expect(kept.names()).toEqual([]);
  });

  test('a message that could not be sent stays while others are; what came back to the composer goes with the next', () => {
    const outbox = open();
    outbox.put('s1', failSend(outbox.begin('s1', draft), 'No.', false, false));
    outbox.put('s1', failSend(outbox.begin('s1', { ...draft, inputText: 'Two' }), 'No.', false, true));
    outbox.begin('s1', { ...draft, inputText: 'Two, better' });
    expect(outbox.read('s1')).toMatchObject([
      { inputText: 'Hello', phase: 'failed' },
      { inputText: 'Two, better', phase: 'sending', key: 'k3' },
    ]);
    expect(outbox.read('s2')).toEqual([]);
  });

  test('what is damaged counts as nothing, and a key that every plain object has stands for no message', () => {
    const kept = words();
    const tab = memoryStorage();
    kept.write('outbox:s1', '{');
    for (const name of ['outbox', 'queueing:s1']) tab.setItem(name, '{');
    expect(open(kept, tab).read('s1')).toEqual([]);
    const outbox = open();
    for (const key of ['constructor', '__proto__']) {
      expect(outbox.read(key)).toEqual([]);
      outbox.begin(key, draft);
      expect(outbox.read(key)).toHaveLength(1);
    }
  });

  test('what version 0.2 kept is read once, and then gone', () => {
    const sent = JSON.stringify({ ...beginSend([], draft, 'sent'), phase: 'sending' });
    const [kept, tab] = [words(), memoryStorage()];
    tab.setItem('outbox', `{"s1":${sent},"s2":${sent}}`);
    tab.setItem('queueing:s1', JSON.stringify({ key: 'queued', inputText: 'Behind it', attached: 'kiln,glaze' }));
    expect(open(kept, tab).read('s1')).toMatchObject([
      { key: 'sent', inputText: 'Hello', phase: 'failed', afterTaskId: 't1' },
      { key: 'queued', inputText: 'Behind it', phase: 'returned', whenBusy: 'queue' },
    ]);
    expect(kept.names()).toEqual(['outbox:s1']);
    expect(tab.getItem('outbox')).not.toContain('s1');
    expect(tab.getItem('queueing:s1')).toBeNull();
    // A reload has it from the new place.
    const reloaded = open(kept, tab);
    const attachments = ['kiln', 'glaze'].map((id) => ({ id }) as Attachment);
    expect(hasArrived(reloaded.read('s1')[1] as Send, [saying('t1', 'Behind it')])).toBe(false);
    expect(reloaded.begin('s1', { ...draft, inputText: 'Behind it', attachments }).key).toBe('queued');
    expect(reloaded.begin('s1', draft).key).toBe('sent');
  });
});

test('only silence and faults beyond the application leave the outcome open', () => {
  expect([0, 500, 503].every(isUnanswered)).toBe(true);
  expect([400, 402, 409, 413].some(isUnanswered)).toBe(false);
});
