import { SENTENCES } from '@atelier/contract/errors';
import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { hashing } from '../../platform/password.ts';
import { cookieOf, PASSWORD } from '../../testing/harness.ts';
import { everywhere, from, signInsByAddress } from '../../testing/sign-ins-by-address.ts';
import { disableAccount, enableAccount } from './accounts.closing.service.ts';
import { rateLimit } from './accounts.identity.table.ts';
import { user } from './accounts.table.ts';

const at = await signInsByAddress();
const { signIn, signUp, forgetRates } = at;

test('a header forged in front of the proxy’s own hop does not escape the limit', async () => {
  const tries = Array.from({ length: 16 }, (_, i) =>
    signIn(`someone${i}@example.com`, 'wrong password', `198.51.100.${i}, 203.0.113.7`),
  );
  const answers = await Promise.all(tries);
  expect(answers.filter((a) => a.status === 429)).toHaveLength(1);
});

test('a disabled account is out on its next call, told so only with the right password, and can come back', async () => {
  const caller = await at.app.signUpByRequest();
  const heard: unknown[] = [];
  const stop = at.app.deps.live.subscribe(caller.uid, (message) => heard.push(message));
  await disableAccount(at.app.deps, { userId: caller.uid, reason: 'spam' });
  const out = await at.app.request('GET', '/api/me', { as: caller });
  expect([out.status, out.body.error.message]).toEqual([401, SENTENCES.accountDisabled]);
  expect((await at.app.request('GET', '/api/auth/get-session', { as: caller })).body).toBeNull();
  await expect.poll(() => JSON.stringify(heard)).toContain('"auth"');
  stop();
  const right = await signIn(caller.email, PASSWORD, '203.0.113.7');
  expect([right.status, right.body.code]).toEqual([403, 'BANNED_USER']);
  expect((await signIn(caller.email, 'wrong password', '203.0.113.7')).status).toBe(401);
  await enableAccount(at.app.deps, caller.uid);
  const again = await at.app.request('GET', '/api/me', { as: caller });
  expect([again.status, again.body.error.message]).toEqual([401, SENTENCES.signedOut]);
  expect((await signIn(caller.email, PASSWORD, '203.0.113.7')).status).toBe(200);
});

test('a ban written by hand, with the session still there, counts on the next call', async () => {
  const caller = await at.app.signUpByRequest();
  await at.app.deps.db.update(user).set({ banned: true }).where(eq(user.id, caller.uid));
  const out = await at.app.request('GET', '/api/me', { as: caller });
  expect([out.status, out.body.error.message]).toEqual([401, SENTENCES.accountDisabled]);
});

test('a sign-up that is refused costs no hash, neither beyond the limit nor for an email in use', async () => {
  const before = hashing.begun;
  const answers = await Promise.all(Array.from({ length: 40 }, (_, i) => signUp(`new${i}@example.com`, '203.0.113.7')));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(15);
  const refused = answers.filter(({ status }) => status === 429);
  expect(refused).toHaveLength(25);
  for (const { headers } of refused) expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
  const afterwards = hashing.begun;
  expect(afterwards - before).toBe(15);
  const { email } = answers.find(({ status }) => status === 200)?.body.user ?? {};
  const taken = await signUp(String(email).toUpperCase(), '203.0.113.8');
  expect([taken.status, taken.body.code, hashing.begun]).toEqual([
    422,
    'USER_ALREADY_EXISTS_USE_ANOTHER_EMAIL',
    afterwards,
  ]);
});

test('a sign-in costs one hash, whether the email is known or not, and none once it is refused', async () => {
  const { email } = await at.app.signUpByRequest();
  for (const name of [email, 'nobody@example.com']) {
    await forgetRates();
    const before = hashing.begun;
    for (let i = 0; i < 12; i += 1) await signIn(name, 'wrong password', '203.0.113.7');
    expect([name, hashing.begun - before]).toEqual([name, 10]);
  }
});

test('where too many hashes wait, a sign-in is told to come again, and nothing of it is lost', async () => {
  const { email } = await at.app.signUpByRequest();
  const ends: (() => void)[] = [];
  const filling = Array.from({ length: 102 }, () => hashing.run(() => new Promise<void>((end) => ends.push(end))));
  const answer = await signIn(email, PASSWORD, '203.0.113.7');
  expect([answer.status, answer.body.error.code, answer.headers.get('retry-after')]).toEqual([503, 'unavailable', '2']);
  const all = Promise.all(filling);
  const drain = setInterval(() => {
    for (const end of ends.splice(0)) end();
  });
  await all;
  clearInterval(drain);
  expect((await signIn(email, PASSWORD, '203.0.113.7')).status).toBe(200);
});

test('strangers can’t lock the owner out of a device that signed in before', async () => {
  const owner = await at.app.signUpByRequest();
  const onDevice = (cookie: string, password: string, email = owner.email, address = '203.0.113.9') =>
    at.app.request('POST', '/api/auth/sign-in/email', {
      body: { email, password },
      headers: { ...from(address), cookie },
    });
  const device = owner.cookie.split('; ').find((part) => part.startsWith('atelier_device=')) ?? '';
  expect(device).not.toContain(owner.email);
  // Strangers use up the account, and the address that the owner shares with them.
  for (let i = 0; i < 15; i += 1) await signIn(owner.email, 'wrong password', '203.0.113.9');
  await at.app.deps.db.update(rateLimit).set({ count: 100 }).where(everywhere);
  expect((await signIn(owner.email, PASSWORD, '203.0.113.8')).status, 'elsewhere').toBe(429);
  const back = await onDevice(device, PASSWORD);
  expect([back.status, cookieOf(back.headers).includes('atelier_device=')]).toEqual([200, true]);
  expect((await onDevice(device, 'wrong password', 'someone@example.com')).status, 'another account').toBe(429);
  expect((await onDevice(`${device}x`, PASSWORD)).status, 'forged').toBe(429);

  // Somebody who steals the cookie has ten tries, and then as many as everybody.
  await at.app.deps.db.update(rateLimit).set({ count: 100 }).where(everywhere);
  const tries: number[] = [];
  for (let i = 0; i < 12; i += 1) tries.push((await onDevice(device, `guess ${i}`)).status);
  expect(tries).toEqual([...Array(10).fill(401), 429, 429]);
});

test('a browser is known to the five accounts that it used last', async () => {
  let cookie = '';
  const owners: string[] = [];
  for (let i = 0; i < 6; i += 1) {
    const body = { name: 'Ada', email: `owner${i}@example.com`, password: PASSWORD };
    const answer = await at.app.request('POST', '/api/auth/sign-up/email', { body, headers: { cookie } });
    cookie =
      cookieOf(answer.headers)
        .split('; ')
        .find((part) => part.startsWith('atelier_device=')) ?? '';
    owners.push(body.email);
  }
  const statuses: number[] = [];
  for (const email of owners) {
    await signIn(email, 'wrong password', '203.0.113.7');
    await forgetRates();
    await at.app.deps.db.update(rateLimit).set({ count: 100 }).where(everywhere);
    const headers = { ...from('203.0.113.9'), cookie };
    const body = { email, password: PASSWORD };
    statuses.push((await at.app.request('POST', '/api/auth/sign-in/email', { body, headers })).status);
  }
  expect(statuses).toEqual([429, 200, 200, 200, 200, 200]);
});
