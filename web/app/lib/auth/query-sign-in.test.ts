import { afterEach, expect, it, vi } from 'vitest';
import { keys, queryClient } from '../query.ts';
import { queryMe, querySignIn, refresh } from './query-sign-in.ts';

const AT = '2026-01-01T00:00:00.000Z';

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

it('the position is that of the first sign-in that the page read, and none where it read something as a visitor', async () => {
  const signIns: unknown[] = [];
  vi.stubGlobal('fetch', async () => new Response(JSON.stringify(signIns.shift())));
  const user = { id: 'u1', name: 'Ada', email: 'a@b.c', emailVerified: true, createdAt: AT, updatedAt: AT };
  const signIn = (position: string) => ({ user, session: { id: 's', userId: 'u1', expiresAt: AT }, position });
  const positions = async (...answers: unknown[]) => {
    queryClient.clear();
    signIns.push(...answers);
    const found: unknown[] = [];
    while (signIns.length > 0) {
      const read = await queryClient.fetchQuery({ queryKey: keys.signIn, queryFn: querySignIn, staleTime: 0 });
      found.push(read?.position);
    }
    return found;
  };
  expect(await positions(signIn('p.1'), signIn('p.2'))).toEqual(['p.1', 'p.1']);
  expect(await positions(null, signIn('p.1'), signIn('p.2'))).toEqual([undefined, undefined, undefined]);
});
