import { afterEach, expect, it, vi } from 'vitest';
import { keys, queryClient } from '../query.ts';
import { queryMe, refresh } from './query-sign-in.ts';

afterEach(() => {
  queryClient.clear();
  vi.unstubAllGlobals();
});

it('a refresh takes no answer to what was asked before it', async () => {
  const asked: string[] = [];
  vi.stubGlobal('fetch', (path: string) => {
    asked.push(path);
    // The first one never comes.
    if (asked.length === 1) return new Promise(() => {});
    const isMe = path === '/api/me';
    return Promise.resolve(
      new Response(isMe ? '{"error":{"code":"signed_out","message":"x"}}' : 'null', { status: isMe ? 401 : 200 }),
    );
  });
  queryClient.fetchQuery({ queryKey: keys.me, queryFn: queryMe }).catch(() => {});
  await expect.poll(() => asked).toEqual(['/api/me']);
  await refresh();
  expect(asked.slice(1)).toEqual(['/api/auth/get-session', '/api/me']);
});
