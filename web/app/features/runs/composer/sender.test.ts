import type { Attachment } from '@atelier/contract/attachments/attachments';
import { afterEach, expect, test, vi } from 'vitest';
import { ApiError } from '../../../lib/http.ts';
import { memoryStorage } from '../../../lib/typed/memory-storage.ts';
import { createWords } from '../../../lib/typed/words.ts';
import { createPending, toPending } from '../attachments/pending.ts';
import { createDraftStore } from './drafts.ts';
import { createOutbox } from './outbox.ts';
import { createSender, deliver } from './sender.ts';

afterEach(() => void vi.unstubAllGlobals());

const OFFLINE = new ApiError(0, 'offline', 'No connection.');
const FULL = new ApiError(409, 'conflict', 'The queue is full.');
const draft = { agentId: 'field-notes', afterTaskId: 't1' };
const waits = { ...draft, whenBusy: 'queue', phase: 'queueing' } as const;

/** A page whose requests a test answers one by one. */
function page(words = createWords(memoryStorage(), () => 'ada')) {
  const [drafts, outbox, pending] = [createDraftStore(words), createOutbox(words), createPending(words)];
  const sender = createSender(drafts, outbox, pending);
  const requests: {
    key: string;
    inputText: string;
    attachments: string[];
    answer: (error?: ApiError) => Promise<void>;
  }[] = [];
  const deliver = ({
    key,
    inputText,
    attachments = [],
  }: {
    key: string;
    inputText: string;
    attachments?: readonly Attachment[];
  }) => {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const answer = async (error?: ApiError) => {
      if (error === undefined) resolve();
      else reject(error);
      await promise.catch(() => undefined);
    };
    requests.push({ key, inputText, attachments: attachments.map(({ id }) => id), answer });
    return promise;
  };
  return {
    words,
    drafts,
    outbox,
    pending,
    requests,
    send: (inputText: string, more: Partial<typeof waits> = {}, attachments: Attachment[] = []) =>
      sender.send('s1', { ...draft, ...more, inputText, attachments }, deliver),
    /** As the composer does while an answer is running. */
    queue: (inputText: string) => {
      drafts.write('s1', inputText);
      sender.send('s1', { ...waits, inputText, attachments: pending.stored('s1') }, deliver);
    },
    phases: () => outbox.read('s1').map(({ phase }) => phase),
  };
}

test('words that wait stay in the composer until the server has them', async () => {
  const { drafts, outbox, queue, requests } = page();
  queue('Hello');
  expect(drafts.read('s1')).toBe('Hello');
  drafts.write('s1', 'Hello and more');
  await requests[0]?.answer();
  expect(drafts.read('s1')).toBe('and more');
  expect(outbox.read('s1')).toEqual([]);
});

test('after a lost connection, and after a reload, the same words are sent with the same key', async () => {
  const first = page();
  first.queue('Hello');
  await first.requests[0]?.answer(OFFLINE);
  expect(first.outbox.read('s1')).toMatchObject([{ phase: 'returned', error: 'No connection.' }]);
  expect(first.drafts.read('s1')).toBe('Hello');
  first.queue('Hello');
  const reloaded = page(first.words);
  expect(reloaded.drafts.read('s1')).toBe('Hello');
  reloaded.queue('Hello');
  const keys = [...first.requests, ...reloaded.requests].map(({ key }) => key);
  expect(keys).toHaveLength(3);
  expect(new Set(keys).size).toBe(1);
  await reloaded.requests[0]?.answer();
  reloaded.queue('Hello');
  expect(reloaded.requests[1]?.key).not.toBe(keys[0]);
});

test('a refused message has a fresh key when it is sent again', async () => {
  const { queue, requests, phases, drafts } = page();
  queue('Hello');
  await requests[0]?.answer(FULL);
  expect([phases(), drafts.read('s1')]).toEqual([['returned'], 'Hello']);
  queue('Hello');
  expect(requests[1]?.key).not.toBe(requests[0]?.key);
});

test('messages sent faster than the server answers follow one another, each without the words before it', async () => {
  const { drafts, queue, requests, pending } = page();
  const kiln = { id: 'kiln', name: 'kiln.png', kind: 'picture' } as Attachment;
  const glaze = { ...kiln, id: 'glaze' };
  pending.add('s1', [toPending(kiln)]);
  queue('One');
  pending.add('s1', [toPending(glaze)]);
  queue('One Two');
  drafts.write('s1', 'One Two and');
  expect(requests).toHaveLength(1);
  await requests[0]?.answer();
  expect(requests.map(({ inputText, attachments }) => [inputText, attachments])).toEqual([
    ['One', ['kiln']],
    ['Two', ['glaze']],
  ]);
  await requests[1]?.answer();
  expect(drafts.read('s1')).toBe('and');
  expect(pending.read('s1')).toEqual([]);
});

test('what follows a message that is not accepted stays in the composer, unsent', async () => {
  const { drafts, queue, send, requests, phases } = page();
  send('One');
  queue('Two');
  await requests[0]?.answer(OFFLINE);
  expect(requests).toHaveLength(1);
  expect(drafts.read('s1')).toBe('Two');
  expect(phases()).toEqual(['failed']);
});

test('a failed message returns to a free composer, and waits in the timeline beside other words', async () => {
  const { drafts, send, queue, requests, phases } = page();
  send('One');
  await requests[0]?.answer(FULL);
  expect([drafts.read('s1'), phases()]).toEqual(['One', ['returned']]);
  queue('Two');
  drafts.write('s1', 'Something else');
  await requests[1]?.answer(FULL);
  expect([drafts.read('s1'), phases()]).toEqual(['Something else', ['failed']]);
});

test.each([
  [400, 'Unrecognized key: "whenBusy"'],
  [409, 'This session is still answering.'],
])('a server of before that answers %i to a message that may wait gets it by its own call', async (status, message) => {
  const asked: [string, unknown, unknown][] = [];
  const queued = {
    id: 'q',
    sessionId: 's1',
    inputText: 'Hello',
    createdAt: '2026-01-01T00:00:00.000Z',
    state: 'waiting',
  };
  vi.stubGlobal('fetch', async (path: string, { body, headers }: { body: string; headers: Record<string, string> }) => {
    asked.push([path, JSON.parse(body), headers['Idempotency-Key']]);
    if (path.endsWith('/queue')) return Response.json({ queued }, { status: 201 });
    return Response.json({ error: { code: 'conflict', message } }, { status });
  });
  const words = { agentId: 'field-notes', inputText: 'Hello' };
  expect(await deliver({ sessionId: 's1', key: 'k1', ...words, whenBusy: 'queue' })).toEqual({ queued });
  expect(asked).toEqual([
    ['/api/sessions/s1/tasks', { ...words, whenBusy: 'queue' }, 'k1'],
    ['/api/sessions/s1/queue', { inputText: 'Hello' }, 'k1'],
  ]);
  // What may not wait is refused.
  await expect(deliver({ sessionId: 's1', key: 'k2', ...words })).rejects.toMatchObject({ status });
});
