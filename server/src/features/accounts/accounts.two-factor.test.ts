import { beforeEach, expect, test } from 'vitest';
import { eventually } from '../../testing/eventually.ts';
import { mailsTo, startFakeSmtp } from '../../testing/fake-smtp.ts';
import { cookieOf, emptyApp, ORIGIN, PASSWORD, type TestUser } from '../../testing/harness.ts';
import { closing } from '../../testing/lifetimes.ts';
import { codeOf, nextCodeOf } from '../../testing/ways-in.ts';
import { twoFactor } from './accounts.identity.table.ts';
import { accountMails } from './accounts.mail.table.ts';
import { issueResetLink } from './accounts.passwords.service.ts';
import { user } from './accounts.table.ts';

const smtp = await closing(startFakeSmtp());
const app = await emptyApp({ env: { SMTP_URL: smtp.url, MAIL_TO: 'desk@example.com', PUBLIC_URL: ORIGIN } });
beforeEach(() => smtp.reset());

const post = (path: string, body: unknown, cookie?: string) =>
  app.request('POST', `/api/auth${path}`, { body, ...(cookie === undefined ? {} : { headers: { cookie } }) });

const secretIn = (uri: string) => new URL(uri).searchParams.get('secret') ?? '';
const codeFor = (uri: string) => codeOf(secretIn(uri));
const nextCodeFor = (uri: string) => nextCodeOf(secretIn(uri));

async function turnOn(owner: TestUser) {
  const begun = await post('/two-factor/enable', { password: PASSWORD }, owner.cookie);
  expect(begun.status).toBe(200);
  const { totpURI, backupCodes } = begun.body;
  const done = await post('/two-factor/verify-totp', { code: codeFor(totpURI) }, owner.cookie);
  expect(done.status).toBe(200);
  expect(done.headers.getSetCookie(), 'the session stays').toEqual([]);
  return { totpURI, backupCodes, cookie: owner.cookie };
}
const signIn = (email: string, cookie?: string) => post('/sign-in/email', { email, password: PASSWORD }, cookie);
const isIn = async (cookie: string) => (await app.request('GET', '/api/me', { headers: { cookie } })).status === 200;

test('once it is on, the password alone opens nothing; with the code it does', async () => {
  const owner = await app.signUpByRequest();
  const { totpURI, cookie } = await turnOn(owner);
  const { security } = (await app.request('GET', '/api/me', { headers: { cookie } })).body;
  expect(security).toEqual({ twoFactor: true, mail: true });
  const devices = await app.request('GET', '/api/auth/list-sessions', { headers: { cookie } });
  expect(devices.body).toHaveLength(1);
  const asked = await signIn(owner.email);
  expect(asked.body).toMatchObject({ twoFactorRedirect: true, twoFactorMethods: ['totp'] });
  const half = cookieOf(asked.headers);
  expect(half, 'not a known device yet').not.toContain('atelier_device=');
  expect(await isIn(half)).toBe(false);
  expect((await post('/two-factor/verify-totp', { code: '000000' }, half)).status).toBe(401);
  const whole = await post('/two-factor/verify-totp', { code: nextCodeFor(totpURI).replace(/(?=...$)/u, ' ') }, half);
  expect(whole.status).toBe(200);
  expect(cookieOf(whole.headers)).toContain('atelier_device=');
  expect(await isIn(cookieOf(whole.headers))).toBe(true);
  expect((await post('/two-factor/verify-totp', { code: codeFor(totpURI) }, half)).status, 'twice').toBe(401);
});

test('a recovery code works once; new ones replace the old', async () => {
  const owner = await app.signUpByRequest();
  const { totpURI, backupCodes, cookie } = await turnOn(owner);
  expect(backupCodes).toHaveLength(10);
  const use = async (code: string) => {
    const half = cookieOf((await signIn(owner.email)).headers);
    return (await post('/two-factor/verify-backup-code', { code }, half)).status;
  };
  expect(await use(backupCodes[0])).toBe(200);
  expect(await use(backupCodes[0])).toBe(401);
  const fresh = await post('/two-factor/generate-backup-codes', { code: nextCodeFor(totpURI) }, cookie);
  expect(fresh.body.backupCodes).toHaveLength(10);
  expect(await use(backupCodes[1])).toBe(401);
  expect(await use(fresh.body.backupCodes[0])).toBe(200);
  const [row] = await app.deps.db.select().from(twoFactor);
  expect(JSON.stringify(row), 'nothing stored in the clear').not.toContain(fresh.body.backupCodes[1]);
});

test('turning it on asks for a proof, turning it off or renewing codes for a code; a set-up that was not finished changes nothing', async () => {
  const owner = await app.signUpByRequest();
  expect((await post('/two-factor/enable', { password: 'wrong' }, owner.cookie)).status).toBe(403);
  for (const path of ['disable', 'generate-backup-codes']) {
    expect((await post(`/two-factor/${path}`, {}, owner.cookie)).status, path).toBe(400);
    expect((await post(`/two-factor/${path}`, { code: '123456' }, owner.cookie)).status, `${path}, off`).toBe(409);
  }
  await post('/two-factor/enable', { password: PASSWORD }, owner.cookie);
  expect((await post('/two-factor/verify-totp', { code: '000000' }, owner.cookie)).status).toBe(401);
  expect((await signIn(owner.email)).body.twoFactorRedirect).toBeUndefined();
  const { cookie, totpURI } = await turnOn(owner);
  const off = { password: PASSWORD, code: nextCodeFor(totpURI) };
  expect((await post('/two-factor/disable', off, cookie)).status).toBe(200);
  expect((await signIn(owner.email)).body.twoFactorRedirect).toBeUndefined();
  await eventually(async () => expect(await app.deps.db.$count(accountMails)).toBe(0));
  const subjects = mailsTo(smtp, owner.email).map(({ subject }) => subject);
  expect(subjects).toContain('Atelier: two-factor authentication is on');
  expect(subjects).toContain('Atelier: two-factor authentication is off');
});

test('a reset link ends a set-up that was not finished, and leaves a second factor that is on', async () => {
  const owner = await app.signUpByRequest();
  await app.deps.db.update(user).set({ emailVerified: true });
  const reset = async () => {
    const link = await issueResetLink(app.deps, { userId: owner.uid, email: owner.email });
    return post('/reset-password', { token: new URL(link).hash.slice(1), newPassword: PASSWORD });
  };
  await post('/two-factor/enable', { password: PASSWORD }, owner.cookie);
  expect(await app.deps.db.$count(twoFactor)).toBe(1);
  expect((await reset()).status).toBe(200);
  expect(await app.deps.db.$count(twoFactor)).toBe(0);
  await turnOn({ ...owner, cookie: cookieOf((await signIn(owner.email)).headers) });
  expect((await reset()).status).toBe(200);
  expect((await signIn(owner.email)).body.twoFactorRedirect).toBe(true);
});

test('a code works once: not after the set-up, not in another sign-in, nor in two at once', async () => {
  const owner = await app.signUpByRequest();
  const begun = await post('/two-factor/enable', { password: PASSWORD }, owner.cookie);
  const setUp = codeFor(begun.body.totpURI);
  expect((await post('/two-factor/verify-totp', { code: setUp }, owner.cookie)).status).toBe(200);
  const half = async () => cookieOf((await signIn(owner.email)).headers);
  const waiting = await half();
  const again = await post('/two-factor/verify-totp', { code: setUp }, waiting);
  expect([again.status, again.body.message]).toEqual([401, 'This code has been used. Please wait for the next one.']);
  expect(await isIn(cookieOf(again.headers))).toBe(false);
  const recovery = { code: begun.body.backupCodes[0] };
  expect((await post('/two-factor/verify-backup-code', recovery, waiting)).status, 'the same sign-in').toBe(200);

  const next = { code: nextCodeFor(begun.body.totpURI) };
  const halves = [await half(), await half(), await half()];
  const uses = await Promise.all(halves.map((one) => post('/two-factor/verify-totp', next, one)));
  expect(uses.map(({ status }) => status).toSorted()).toEqual([200, 401, 401]);
  const devices = await app.request('GET', '/api/auth/list-sessions', { headers: { cookie: owner.cookie } });
  expect(devices.body).toHaveLength(3);
});

test('codes can’t be guessed: five wrong ones end a sign-in, ten close the second factor for a while', async () => {
  const owner = await app.signUpByRequest();
  const { totpURI } = await turnOn(owner);
  const wrong = String((Number(codeFor(totpURI)) + 500_000) % 1_000_000).padStart(6, '0');
  const statuses: number[] = [];
  for (let i = 0; i < 2; i += 1) {
    const half = cookieOf((await signIn(owner.email)).headers);
    for (let k = 0; k < 6; k += 1) statuses.push((await post('/two-factor/verify-totp', { code: wrong }, half)).status);
  }
  expect(statuses.filter((status) => status === 401)).toHaveLength(10);
  const half = cookieOf((await signIn(owner.email)).headers);
  const right = await post('/two-factor/verify-totp', { code: nextCodeFor(totpURI) }, half);
  expect([right.status, right.headers.get('retry-after')]).toEqual([429, '900']);
  for (const code of [null, '', 0, {}, 'x'.repeat(50)]) {
    expect((await post('/two-factor/verify-totp', { code }, half)).status, String(code)).toBe(400);
  }
});

test('a new password that signs others out ends a sign-in that waits for its code', async () => {
  const owner = await app.signUpByRequest();
  const { backupCodes, cookie } = await turnOn(owner);
  const half = cookieOf((await signIn(owner.email)).headers);
  const body = { currentPassword: PASSWORD, newPassword: 'another horse', revokeOtherSessions: true };
  expect((await post('/change-password', body, cookie)).status).toBe(200);
  expect((await post('/two-factor/verify-backup-code', { code: backupCodes[0] }, half)).status).toBe(401);
});
