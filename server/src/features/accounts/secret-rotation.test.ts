import { beforeEach, describe, expect, test } from 'vitest';
import { sendOnly } from '../../platform/jobs/job-statements.ts';
import { notifyChange } from '../../platform/live-channel.ts';
import { cookieJar } from '../../testing/cookie-jar.ts';
import { eventually } from '../../testing/eventually.ts';
import { mailsTo, startFakeSmtp } from '../../testing/fake-smtp.ts';
import { cookieOf, emptyApp, ORIGIN, PASSWORD, type TestApp, type TestUser, testApp } from '../../testing/harness.ts';
import { closing } from '../../testing/lifetimes.ts';
import { startMcpServer } from '../../testing/mcp/http-server.ts';
import { signInAt } from '../../testing/mcp/oauth-server.ts';
import { startGoogle } from '../../testing/sign-in-providers.ts';
import { codeOf, nextCodeOf, softPasskey } from '../../testing/ways-in.ts';
import { runAdminCommand } from '../operator/operator.service.ts';
import { twoFactor } from './accounts.identity.table.ts';
import { ACCOUNT_MAIL_RETRIES } from './accounts.mail.service.ts';
import { accountMails } from './accounts.mail.table.ts';
import { issueResetLink } from './accounts.passwords.service.ts';

// Everything that hangs on AUTH_SECRET, made under one secret and used under another.

/** With commas, as passphrases may have them. */
const secretOf = (word: string) => `the ${word} secret, long enough for all`;
const [FIRST, SECOND, THIRD] = [secretOf('first'), secretOf('second'), secretOf('third')];
const BACK = `${ORIGIN}/api/auth/callback/google`;

const [smtp, google] = await Promise.all([closing(startFakeSmtp()), closing(startGoogle(BACK))]);
const env = {
  ...google.env,
  SMTP_URL: smtp.url,
  MAIL_TO: 'desk@example.com',
  PUBLIC_URL: ORIGIN,
  FETCH_ALLOWED: '127.0.0.1',
};
/** Before the change. */
const before = await emptyApp({ env: { ...env, AUTH_SECRET: FIRST } });
const database = before.deps.database;
/** After two changes: what the first secret wrote is read by the oldest. */
const after = await closing(
  testApp({ database, env: { ...env, AUTH_SECRET: THIRD, AUTH_SECRET_OLD: `${SECOND},${FIRST}` } }),
);
/** After a change that forgot the old secret. */
const lost = await closing(testApp({ database, env: { ...env, AUTH_SECRET: THIRD } }));
beforeEach(() => smtp.reset());

const post = (app: TestApp, path: string, body: unknown, cookie?: string) =>
  app.request('POST', `/api/auth${path}`, { body, ...(cookie === undefined ? {} : { headers: { cookie } }) });
const signIn = (app: TestApp, { email }: TestUser, cookie?: string) =>
  post(app, '/sign-in/email', { email, password: PASSWORD }, cookie);
const half = async (app: TestApp, owner: TestUser) => cookieOf((await signIn(app, owner)).headers);
const isIn = async (app: TestApp, cookie: string) =>
  (await app.request('GET', '/api/me', { headers: { cookie } })).status === 200;

async function turnOn(owner: TestUser) {
  const { totpURI, backupCodes } = (await post(before, '/two-factor/enable', { password: PASSWORD }, owner.cookie))
    .body;
  const secret = new URL(totpURI).searchParams.get('secret') ?? '';
  const done = await post(before, '/two-factor/verify-totp', { code: codeOf(secret) }, owner.cookie);
  expect(done.status).toBe(200);
  return { secret, backupCodes };
}

async function subjects(email: string) {
  await eventually(async () => expect(await before.deps.db.$count(accountMails)).toBe(0));
  return mailsTo(smtp, email).map(({ subject }) => subject);
}

describe('with the old secret in AUTH_SECRET_OLD', () => {
  test('people stay signed in, and sign out', async () => {
    const owner = await before.signUpByRequest();
    expect(await isIn(after, owner.cookie)).toBe(true);
    const devices = await after.request('GET', '/api/auth/list-sessions', { as: owner });
    expect(devices.body).toHaveLength(1);
    expect((await post(after, '/sign-out', {}, owner.cookie)).status).toBe(200);
    expect(await isIn(after, owner.cookie)).toBe(false);
    expect(await isIn(before, owner.cookie), 'the session itself ended').toBe(false);
  });

  test('a device stays known', async () => {
    const owner = await before.signUpByRequest();
    const signed = await signIn(after, owner, owner.cookie);
    expect(signed.status).toBe(200);
    expect(await subjects(owner.email)).not.toContain('Atelier: a new device signed in');
    await signIn(lost, owner, owner.cookie);
    expect(await subjects(owner.email)).toContain('Atelier: a new device signed in');
  });

  test('the second factor asks for a code and takes it, in a sign-in that was begun before too', async () => {
    const owner = await before.signUpByRequest();
    const begun = await before.signUpByRequest('Bob');
    const { secret, backupCodes } = await turnOn(owner);
    const early = await half(before, owner);
    const whole = await post(after, '/two-factor/verify-totp', { code: nextCodeOf(secret) }, early);
    expect(whole.status).toBe(200);
    expect(await isIn(after, cookieOf(whole.headers))).toBe(true);
    const useCode = async (code: string) =>
      (await post(after, '/two-factor/verify-backup-code', { code }, await half(after, owner))).status;
    expect([await useCode(backupCodes[0]), await useCode(backupCodes[0]), await useCode(backupCodes[1])]).toEqual([
      200, 401, 200,
    ]);
    const off = await post(after, '/two-factor/disable', { code: backupCodes[2] }, owner.cookie);
    expect(off.status).toBe(200);

    const set = (await post(before, '/two-factor/enable', { password: PASSWORD }, begun.cookie)).body;
    const code = codeOf(new URL(set.totpURI).searchParams.get('secret') ?? '');
    expect((await post(after, '/two-factor/verify-totp', { code }, begun.cookie)).status, 'a set-up').toBe(200);
  });

  test('a factor that was used is encrypted with the newest secret, so the oldest can go', async () => {
    const owner = await before.signUpByRequest();
    const { secret, backupCodes } = await turnOn(owner);
    const proved = await post(after, '/confirm-owner', { code: backupCodes[0] }, owner.cookie);
    expect(proved.status).toBe(200);
    const late = await half(lost, owner);
    expect((await post(lost, '/two-factor/verify-totp', { code: nextCodeOf(secret) }, late)).status).toBe(200);
    const again = await half(lost, owner);
    expect((await post(lost, '/two-factor/verify-backup-code', { code: backupCodes[0] }, again)).status).toBe(401);
  });

  test('a passkey that is being added or used goes on', async () => {
    const owner = await before.signUpByRequest();
    const key = softPasskey();
    const added = await post(before, '/passkey/generate-register-options', { password: PASSWORD }, owner.cookie);
    const done = await post(
      after,
      '/passkey/verify-registration',
      { name: 'Laptop', response: key.register({ challenge: added.body.challenge, origin: ORIGIN }) },
      `${owner.cookie}; ${cookieOf(added.headers)}`,
    );
    expect(done.status).toBe(200);
    const asked = await post(before, '/passkey/generate-authenticate-options', {});
    const response = key.authenticate({ challenge: asked.body.challenge, origin: ORIGIN });
    const entered = await post(after, '/passkey/verify-authentication', { response }, cookieOf(asked.headers));
    expect(entered.status).toBe(200);
  });

  test('somebody who is at Google meanwhile comes back', async () => {
    google.people.set('ada', { email: 'ada@example.com', email_verified: true, name: 'Ada' });
    const begun = await cookieJar(before).request('POST', '/api/auth/sign-in/social', { provider: 'google' });
    const back = await signInAt(begun.body.url, BACK, 'ada');
    const browser = cookieJar(after, cookieOf(begun.headers));
    expect((await browser.request('GET', back.slice(ORIGIN.length))).status).toBe(302);
    expect((await browser.me()).user.email).toBe('ada@example.com');
  });

  test('tool servers still get their tokens', async () => {
    const owner = await before.signUpPro();
    const token = 'Bearer token-of-ada-0123456789';
    const server = await startMcpServer(
      [{ name: 'act', description: 'Acts.', inputSchema: { type: 'object' } }],
      0,
      (q, a) => (q.headers.authorization === token ? false : a.writeHead(401).end() !== undefined),
    );
    const body = { name: 'Mine', url: server.url, headers: { Authorization: token } };
    const added = await before.request('POST', '/api/mcp-servers', { as: owner, body });
    expect(added.body.server).toMatchObject({ state: 'approved' });
    const path = `/api/mcp-servers/${added.body.server.id}/resources`;
    expect((await after.request('GET', path, { as: owner })).status).toBe(200);
    const again = cookieOf((await signIn(lost, owner)).headers);
    const refused = await lost.request('GET', path, { headers: { cookie: again } });
    expect([refused.status, refused.body.error.message]).toEqual([
      502,
      expect.stringMatching(/^The server wants to know who you are/u),
    ]);
    await server.close();
  });
});

test('links by mail and API keys don’t hang on the secret', async () => {
  const owner = await before.signUpPro();
  const { key } = (await before.request('POST', '/api/keys', { as: owner, body: { name: 'Script' } })).body;
  const headers = { authorization: `Bearer ${key.secret}` };
  expect((await lost.request('GET', '/v1/models', { headers })).status).toBe(200);
  const link = await issueResetLink(before.deps, { userId: owner.uid, email: owner.email });
  const reset = { token: new URL(link).hash.slice(1), newPassword: PASSWORD };
  expect((await post(lost, '/reset-password', reset)).status).toBe(200);
});

describe('with the old secret lost', () => {
  test('a code that nothing can check is refused with the way out, and the operator removes the factor', async () => {
    const owner = await before.signUpByRequest();
    const { secret, backupCodes } = await turnOn(owner);
    expect(await isIn(lost, owner.cookie)).toBe(false);
    const begun = await half(lost, owner);
    const told = async (path: string, code: string) => {
      const { status, body } = await post(lost, `/two-factor/${path}`, { code }, begun);
      return [status, body.error?.message];
    };
    const changed = 'can’t be checked any more: this installation’s secret was changed.';
    const ask = 'or ask the people who run it to remove your second factor.';
    expect(await told('verify-totp', nextCodeOf(secret))).toEqual([
      409,
      `Codes ${changed} Try a recovery code, ${ask}`,
    ]);
    expect(await told('verify-backup-code', backupCodes[0])).toEqual([
      409,
      `Recovery codes ${changed} Try a code of your app, ${ask}`,
    ]);
    // As a command beside the server.
    const beside = { ...lost.deps, jobs: sendOnly(ACCOUNT_MAIL_RETRIES), live: { notify: notifyChange } };
    const remove = () => runAdminCommand(beside, ['remove-factor', owner.email, '--reason', 'a lost phone']);
    expect(await remove()).toMatchObject({
      ok: true,
      message: expect.stringContaining('They get a mail with the reason.'),
    });
    expect(await remove()).toEqual({ ok: false, message: `${owner.email} has no second factor.` });
    expect((await signIn(lost, owner)).body.twoFactorRedirect).toBeUndefined();
    expect(await subjects(owner.email)).toContain('Atelier: two-factor authentication is off');
    expect(
      mailsTo(smtp, owner.email)
        .map(({ text }) => text)
        .join('\n'),
    ).toContain('a lost phone');
  });

  test('a set-up that was begun before is begun again', async () => {
    const owner = await before.signUpByRequest();
    await post(before, '/two-factor/enable', { password: PASSWORD }, owner.cookie);
    const cookie = cookieOf((await signIn(lost, owner)).headers);
    const refused = await post(lost, '/two-factor/verify-totp', { code: '123456' }, cookie);
    expect([refused.status, refused.body.error.message]).toEqual([
      409,
      'Codes can’t be checked any more: this installation’s secret was changed. Begin the set-up again.',
    ]);
    const again = await post(lost, '/two-factor/enable', { password: PASSWORD }, cookie);
    expect(again.status).toBe(200);
    const [factor] = await before.deps.db.select().from(twoFactor);
    expect(factor?.verified).toBe(false);
  });
});
