import { like, sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { PASSWORD } from '../../testing/harness.ts';
import { from, signInsByAddress } from '../../testing/sign-ins-by-address.ts';
import { rateLimit } from './accounts.identity.table.ts';

const at = await signInsByAddress();
const { signIn, signUp, forgetRates } = at;

/** The wait runs down from one answer to the next. */
const withoutSeconds = (seen: unknown) => JSON.stringify(seen).replaceAll(/\d+ (?:seconds|minutes)/gu, 'a while');

test('too many sign-ins from one address: 429 with Retry-After, counted in the database, other addresses unharmed', async () => {
  const tries = Array.from({ length: 20 }, (_, i) =>
    signIn(`someone${i}@example.com`, 'wrong password', '203.0.113.7'),
  );
  const answers = await Promise.all(tries);
  expect(answers.filter((a) => a.status === 401)).toHaveLength(15);
  const refused = answers.filter((a) => a.status === 429);
  expect(refused).toHaveLength(5);
  for (const { headers } of refused) expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
  const rows = await at.app.deps.db.select().from(rateLimit).where(like(rateLimit.key, '203.0.113.7|%'));
  expect(rows.map((row) => row.key)).toEqual(['203.0.113.7|/sign-in/email']);
  expect((await signIn('someone@example.com', 'wrong password', '203.0.113.8')).status).toBe(401);
});

test('repeated wrong passwords lock an account to that address, known or not alike, and the lock expires', async () => {
  const { email } = await at.app.signUpByRequest();
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
    expect(Number(locked.headers.get('retry-after'))).toBeGreaterThan(0);
    outcomes[outcomes.length - 1] = withoutSeconds(outcomes.at(-1));
  }
  expect(outcomes[0]).toEqual(outcomes[1]);

  expect((await signIn(email, PASSWORD, '203.0.113.8')).status, 'its owner, elsewhere').toBe(200);
  await at.app.deps.db.update(rateLimit).set({ lastRequest: sql`${rateLimit.lastRequest} - ${15 * 60_000}` });
  expect((await signIn(email, PASSWORD, '203.0.113.7')).status, 'after 15 minutes').toBe(200);
});

test('the right password clears the count', async () => {
  const { email } = await at.app.signUpByRequest();
  for (let i = 0; i < 9; i += 1) await signIn(email, 'wrong password', '203.0.113.7');
  expect((await signIn(email, PASSWORD, '203.0.113.7')).status).toBe(200);
  const locks = await at.app.deps.db.select().from(rateLimit).where(like(rateLimit.key, 'lock|%'));
  expect(locks).toHaveLength(0);
});

test('addresses of one IPv6 /64 count as one', async () => {
  const tries = Array.from({ length: 16 }, (_, i) =>
    signIn(`someone${i}@example.com`, 'wrong password', `2001:db8:0:7::${i + 1}`),
  );
  expect((await Promise.all(tries)).filter(({ status }) => status === 429)).toHaveLength(1);
  expect((await signUp('new@example.com', '2001:db8:0:8::1')).status).toBe(200);
  const notes = Array.from({ length: 6 }, (_, i) =>
    at.app.request('POST', '/api/contact', {
      body: { message: `note ${i}`, email: 'ada@example.com' },
      headers: from(`2001:db8:0:7::${i + 1}`),
    }),
  );
  expect((await Promise.all(notes)).filter(({ status }) => status === 429)).toHaveLength(1);
});

test.each([
  ['sign-ups', '/api/auth/sign-up/email', 45],
  ['resets', '/api/auth/request-password-reset', 45],
  ['messages', '/api/contact', 15],
])('the networks of one IPv6 /48 share their %s; those of another don’t wait for them', async (_what, path, max) => {
  const { email } = await at.app.signUpByRequest();
  const body = path === '/api/contact' ? { message: 'Hello', email } : { name: 'Ada', email, password: PASSWORD };
  const ask = (address: string) => at.app.request('POST', path, { body, headers: from(address) });
  const tries = Array.from({ length: max + 5 }, (_, i) => ask(`2001:db8:1:${i.toString(16)}::7`));
  const answers = await Promise.all(tries);
  expect(answers.filter(({ status }) => status === 429)).toHaveLength(5);
  expect((await ask('2001:db8:2::7')).status).not.toBe(429);
});
