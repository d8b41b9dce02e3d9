import { SENTENCES } from '@atelier/contract/errors';
import { and, eq, like, notLike, sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { PASSWORD, type TestApp, testApp } from '../../testing/harness.ts';
import { disableAccount, enableAccount } from './accounts.service.ts';
import { rateLimit, user } from './accounts.table.ts';

let app: TestApp;
beforeAll(async () => {
  // The test's requests have no socket and count as 127.0.0.1: a trusted proxy here, which names the client.
  app = await testApp({ env: { TRUSTED_PROXIES: '127.0.0.1', AUTH_RATE_MAX: '15' } });
});
beforeEach(() => app.reset());
afterAll(() => app.close());

const from = (address: string) => ({ 'x-forwarded-for': address });
const signIn = (email: string, password: string, address: string) =>
  app.request('POST', '/api/auth/sign-in/email', { body: { email, password }, headers: from(address) });
const forgetRates = () => app.deps.db.delete(rateLimit).where(like(rateLimit.key, '%/%'));

test('too many sign-ins from one address: 429 with Retry-After, counted in the database, other addresses unharmed', async () => {
  const tries = Array.from({ length: 20 }, (_, i) =>
    signIn(`someone${i}@example.com`, 'wrong password', '203.0.113.7'),
  );
  const answers = await Promise.all(tries);
  expect(answers.filter((a) => a.status === 401)).toHaveLength(15);
  const refused = answers.filter((a) => a.status === 429);
  expect(refused).toHaveLength(5);
  for (const { headers } of refused) expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
  const rows = await app.deps.db.select().from(rateLimit).where(like(rateLimit.key, '203.0.113.7|%'));
  expect(rows.map((row) => row.key)).toEqual(['203.0.113.7|/sign-in/email']);
  expect((await signIn('someone@example.com', 'wrong password', '203.0.113.8')).status).toBe(401);
});

test('a header forged in front of the proxy’s own hop does not escape the limit', async () => {
  const tries = Array.from({ length: 16 }, (_, i) =>
    signIn(`someone${i}@example.com`, 'wrong password', `198.51.100.${i}, 203.0.113.7`),
  );
  const answers = await Promise.all(tries);
  expect(answers.filter((a) => a.status === 429)).toHaveLength(1);
});

test('repeated wrong passwords lock an account to that address, known or not alike, and the lock expires', async () => {
  const { email } = await app.signUp();
  const outcomes: unknown[] = [];
  for (const name of [email, 'nobody@example.com']) {
    await forgetRates();
    const tries = await Promise.all(Array.from({ length: 12 }, () => signIn(name, 'wrong password', '203.0.113.7')));
    const statuses = tries.map((a) => a.status).sort();
    expect(statuses).toEqual([...Array(10).fill(401), 429, 429]);
    await forgetRates();
    const locked = await signIn(name, PASSWORD, '203.0.113.7');
    outcomes.push([locked.status, locked.body, Object.keys(Object.fromEntries(locked.headers)).sort()]);
    expect(locked.status).toBe(429);
    expect(Number(locked.headers.get('retry-after'))).toBeGreaterThan(60);
  }
  expect(outcomes[0]).toEqual(outcomes[1]);

  expect((await signIn(email, PASSWORD, '203.0.113.8')).status, 'its owner, elsewhere').toBe(200);
  await app.deps.db.update(rateLimit).set({ lastRequest: sql`${rateLimit.lastRequest} - ${15 * 60_000}` });
  expect((await signIn(email, PASSWORD, '203.0.113.7')).status, 'after 15 minutes').toBe(200);
});

test('wrong passwords from many addresses lock the account everywhere', async () => {
  const { email } = await app.signUp();
  expect((await signIn(email, 'wrong password', '198.51.100.1')).status).toBe(401);
  const everywhere = and(like(rateLimit.key, 'lock|%'), notLike(rateLimit.key, 'lock|%|%'));
  await app.deps.db.update(rateLimit).set({ count: 49 }).where(everywhere);
  expect((await signIn(email, 'wrong password', '198.51.100.2')).status).toBe(401);
  expect((await signIn(email, PASSWORD, '203.0.113.8')).status).toBe(429);
});

test('the right password clears the count', async () => {
  const { email } = await app.signUp();
  for (let i = 0; i < 9; i += 1) await signIn(email, 'wrong password', '203.0.113.7');
  expect((await signIn(email, PASSWORD, '203.0.113.7')).status).toBe(200);
  const locks = await app.deps.db.select().from(rateLimit).where(like(rateLimit.key, 'lock|%'));
  expect(locks).toHaveLength(0);
});

test('a disabled account is out on its next call, told so only with the right password, and can come back', async () => {
  const caller = await app.signUp();
  const heard: unknown[] = [];
  const stop = app.deps.live.subscribe(caller.uid, (message) => heard.push(message));
  await disableAccount(app.deps, { userId: caller.uid, reason: 'spam' });
  const out = await app.request('GET', '/api/me', { as: caller });
  expect([out.status, out.body.error.message]).toEqual([401, SENTENCES.accountDisabled]);
  expect((await app.request('GET', '/api/auth/get-session', { as: caller })).body).toBeNull();
  await expect.poll(() => JSON.stringify(heard)).toContain('"auth"');
  stop();
  const right = await signIn(caller.email, PASSWORD, '203.0.113.7');
  expect([right.status, right.body.code]).toEqual([403, 'BANNED_USER']);
  expect((await signIn(caller.email, 'wrong password', '203.0.113.7')).status).toBe(401);
  await enableAccount(app.deps, caller.uid);
  const again = await app.request('GET', '/api/me', { as: caller });
  expect([again.status, again.body.error.message]).toEqual([401, SENTENCES.signedOut]);
  expect((await signIn(caller.email, PASSWORD, '203.0.113.7')).status).toBe(200);
});

test('a ban written by hand, with the session still there, counts on the next call', async () => {
  const caller = await app.signUp();
  await app.deps.db.update(user).set({ banned: true }).where(eq(user.id, caller.uid));
  const out = await app.request('GET', '/api/me', { as: caller });
  expect([out.status, out.body.error.message]).toEqual([401, SENTENCES.accountDisabled]);
});
