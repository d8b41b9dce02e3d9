import { runInThisContext } from 'node:vm';
import { afterEach, expect, test, vi } from 'vitest';
import { earlyScript, takeEarly } from './early.ts';

afterEach(() => vi.unstubAllGlobals());

/** Runs the words that stand in the page, on a server that answers these paths and nothing else. */
async function visit(address: string, answers: Record<string, unknown>) {
  const { pathname, search } = new URL(address, 'http://localhost');
  const asked: string[] = [];
  const window: { early?: Record<string, Promise<Response>> } = {};
  const fetchAnswer = async (path: string) => {
    asked.push(path);
    if (!(path in answers)) throw new TypeError('no answer');
    return Response.json(answers[path]);
  };
  vi.stubGlobal('window', window);
  vi.stubGlobal('location', { pathname, search });
  vi.stubGlobal('fetch', fetchAnswer);
  // The page has only just begun to load, however long these tests have been running.
  vi.stubGlobal('performance', { now: () => 100 });
  runInThisContext(earlyScript);
  await expect.poll(() => asked).not.toEqual([]);
  await new Promise((done) => setTimeout(done));
  return asked;
}

const SIGNED_IN = { '/api/auth/get-session': { user: {} }, '/api/me': { name: 'Ada' } };

test('nothing but who is signed in is asked for a visitor', async () => {
  expect(await visit('/runtime?sessionId=s1', { '/api/auth/get-session': null })).toEqual(['/api/auth/get-session']);
});

test('the workspace of somebody signed in is asked for at once, with the session of the address', async () => {
  const asked = await visit('/runtime?sessionId=a%2Fb', SIGNED_IN);
  expect(asked).toEqual([
    '/api/auth/get-session',
    '/api/me',
    '/api/agents?limit=200',
    '/api/sessions?limit=100&folderId=none',
    '/api/sessions/a%2Fb/tasks?limit=30',
    '/api/sessions/a%2Fb/queue',
  ]);
});

test('the public agents are asked for at once, unless the address filters them', async () => {
  const asked = await visit('/explore', SIGNED_IN);
  expect(asked).toEqual(['/api/auth/get-session', '/api/me', '/api/explore?limit=24', '/api/explore/tags']);
  expect(await visit('/explore?tag=tea', SIGNED_IN)).toEqual(['/api/auth/get-session', '/api/me']);
});

test('what a link shares is asked for with the page, but not where it is only continued', async () => {
  const visitor = { '/api/auth/get-session': null };
  expect(await visit('/shared/a-token', visitor)).toEqual(['/api/shared/a-token']);
  expect(await visit('/shared/a-token/continue', visitor)).toEqual(['/api/auth/get-session']);
});

test('an answer is taken once, whole, though the page itself has read it', async () => {
  await visit('/library', SIGNED_IN);
  const answer = await takeEarly('/api/auth/get-session', undefined);
  expect(await answer?.json()).toEqual({ user: {} });
  expect(takeEarly('/api/auth/get-session', undefined)).toBeUndefined();
  expect(takeEarly('/api/agents?limit=200', undefined)).toBeUndefined();
});

test('what failed fails for who takes it, and an end of waiting ends it', async () => {
  await visit('/library', { '/api/auth/get-session': { user: {} } });
  await expect(takeEarly('/api/me', undefined)).rejects.toThrow('no answer');
  await visit('/library', SIGNED_IN);
  const waiting = new AbortController();
  vi.stubGlobal('window', { early: { '/api/me': new Promise(() => undefined) } });
  const answer = takeEarly('/api/me', waiting.signal);
  waiting.abort(new Error('enough'));
  await expect(answer).rejects.toThrow('enough');
});

test('an old answer is not taken', async () => {
  await visit('/library', SIGNED_IN);
  vi.stubGlobal('performance', { now: () => 60_000 });
  expect(takeEarly('/api/me', undefined)).toBeUndefined();
});
