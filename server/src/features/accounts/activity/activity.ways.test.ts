import type { ActivityEvent } from '@atelier/contract/accounts/activity';
import { expect, test } from 'vitest';
import {
  addPasskey,
  admin,
  asUser,
  atGoogle,
  halfIn,
  linesOf,
  linkGoogle,
  NETWORK,
  NEW_PASSWORD,
  opensAccount,
  owner,
  post,
  request,
  rowsOf,
  secrets,
  signIn,
  turnOnTwoFactor,
  WRONG,
} from '../../../testing/account-events.ts';
import { eventually } from '../../../testing/eventually.ts';
import { cookieOf, ORIGIN } from '../../../testing/harness.ts';
import { nextCodeOf } from '../../../testing/ways-in.ts';

await opensAccount();

async function enterByPasskey(key: Awaited<ReturnType<typeof addPasskey>>, origin = ORIGIN) {
  const begun = await post('/passkey/generate-authenticate-options', {});
  const as = { ...owner, cookie: cookieOf(begun.headers) };
  return post(
    '/passkey/verify-authentication',
    { response: key.authenticate({ challenge: begun.body.challenge, origin }) },
    as,
  );
}

test.each<[string, ActivityEvent, string, () => Promise<unknown>]>([
  ['a passkey', 'sign_in', 'passkey', async () => asUser(await enterByPasskey(await addPasskey()), '')],
  [
    'an account elsewhere',
    'sign_in',
    'google',
    async () => {
      await linkGoogle();
      await atGoogle(await post('/sign-in/social', { provider: 'google' }));
    },
  ],
  [
    'a code',
    'sign_in',
    'code',
    async () => {
      const { secret } = await turnOnTwoFactor();
      await post('/two-factor/verify-totp', { code: nextCodeOf(secret) }, await halfIn());
    },
  ],
  [
    'a recovery code',
    'sign_in',
    'recovery_code',
    async () => {
      const { backupCodes } = await turnOnTwoFactor();
      await post('/two-factor/verify-backup-code', { code: backupCodes[0] }, await halfIn());
    },
  ],
  [
    'a passkey of another page',
    'sign_in_failed',
    'passkey',
    async () => enterByPasskey(await addPasskey(), 'https://evil.test'),
  ],
  [
    'a code that was used',
    'code_refused',
    'used',
    async () => {
      const { secret } = await turnOnTwoFactor();
      const halves = [await halfIn(), await halfIn()];
      for (const half of halves) await post('/two-factor/verify-totp', { code: nextCodeOf(secret) }, half);
    },
  ],
  [
    'a disabled account',
    'sign_in_failed',
    'disabled',
    async () => {
      await admin('disable', owner.email);
      await signIn();
    },
  ],
  [
    'the operator’s link',
    'password_reset',
    'operator_reset',
    async () => {
      const { message } = await admin('reset-link', owner.email);
      await post('/reset-password', { token: message.slice(message.indexOf('#') + 1), newPassword: NEW_PASSWORD });
    },
  ],
])('%s', async (_, event, about, cause) => {
  await cause();
  await eventually(() => expect(linesOf(event).at(-1)).toMatchObject({ account: owner.uid, about }));
  expect((await rowsOf(event)).map((row) => [row.userId, row.about])).toEqual([[owner.uid, about]]);
});

test('an email without an account, and a page elsewhere, leave a line of no account', async () => {
  await signIn(WRONG, 'nobody@example.com');
  await request('POST', '/api/agents', { as: owner, body: {}, headers: { origin: 'https://evil.test' } });
  await eventually(() => {
    const nobody = { account: null, network: NETWORK, device: 'Firefox on Windows' };
    expect(linesOf('sign_in_failed')).toContainEqual(expect.objectContaining({ ...nobody, about: 'password' }));
    expect(linesOf('refused')).toContainEqual(expect.objectContaining({ ...nobody, route: 'POST /api/*' }));
  });
  expect(await rowsOf('sign_in_failed')).toEqual([]);
});

test('guessed keys leave a line each, and a flood of them at most sixty a minute', async () => {
  await Promise.all(
    Array.from({ length: 80 }, (_, i) => {
      const headers = { authorization: `Bearer guess-${i}`, 'x-forwarded-for': '198.51.100.7' };
      return request('GET', '/v1/models', { headers });
    }),
  );
  const ofFlood = linesOf('key_unknown').filter(({ network }) => network === '198.51.100.0/24');
  expect(ofFlood.map(({ route }) => route)).toEqual(Array(60).fill('GET /v1/models'));
});

test('of IPv6 there is the customer’s part', async () => {
  const address = '2001:db8:7:1234::9';
  secrets.push('2001:db8:7:1');
  const body = { email: owner.email, password: WRONG };
  await request('POST', '/api/auth/sign-in/email', { body, headers: { 'x-forwarded-for': address } });
  const line = { account: owner.uid, network: '2001:db8:7::/48' };
  await eventually(() => expect(linesOf('sign_in_failed')).toContainEqual(expect.objectContaining(line)));
});
