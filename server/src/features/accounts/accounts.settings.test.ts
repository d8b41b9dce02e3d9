import { SENTENCES } from '@atelier/contract/errors';
import { beforeEach, expect, test } from 'vitest';
import { eventually } from '../../testing/eventually.ts';
import { mailsTo, startFakeSmtp } from '../../testing/fake-smtp.ts';
import { cookieOf, emptyApp, ORIGIN, PASSWORD, type TestUser } from '../../testing/harness.ts';
import { closing } from '../../testing/lifetimes.ts';
import { accountMails, accountTokens } from './accounts.mail.table.ts';

const NEW_PASSWORD = 'a better password';
const smtp = await closing(startFakeSmtp());
const app = await emptyApp({ env: { SMTP_URL: smtp.url, MAIL_TO: 'desk@example.com', PUBLIC_URL: ORIGIN } });
const plain = await emptyApp();
beforeEach(() => smtp.reset());

const post = (path: string, body: unknown, as?: TestUser, on = app) =>
  on.request('POST', `/api/auth${path}`, { body, as });
async function signInAgain(owner: TestUser, on = app): Promise<TestUser> {
  const answer = await post('/sign-in/email', { email: owner.email, password: PASSWORD }, undefined, on);
  return { ...owner, cookie: cookieOf(answer.headers) };
}
const subjects = (email: string) => mailsTo(smtp, email).map(({ subject }) => subject.replace('Atelier: ', ''));
const allSent = () => eventually(async () => expect(await app.deps.db.$count(accountMails)).toBe(0));
const isIn = async (as: TestUser, on = app) => (await on.request('GET', '/api/me', { as })).status === 200;

test('every change needs a signed-in person', async () => {
  for (const path of [
    '/update-user',
    '/change-password',
    '/change-email',
    '/send-verification-email',
    '/revoke-session',
    '/two-factor/enable',
    '/two-factor/disable',
    '/two-factor/generate-backup-codes',
  ]) {
    expect((await post(path, {})).status, path).toBe(401);
  }
  expect((await app.request('GET', '/api/auth/list-sessions')).status).toBe(401);
});

test('the display name changes, on every open page, and nothing else does', async () => {
  const owner = await app.signUpByRequest();
  const heard: unknown[] = [];
  const stop = app.deps.live.subscribe(owner.uid, (message) => heard.push(message));
  const answer = await post(
    '/update-user',
    { name: ' Grace ', image: 'x', role: 'admin', email: 'a@b.example' },
    owner,
  );
  expect(answer.status).toBe(200);
  const { user } = (await app.request('GET', '/api/me', { as: owner })).body;
  expect(user).toMatchObject({ displayName: 'Grace', photoURL: null, email: owner.email });
  await expect.poll(() => JSON.stringify(heard)).toContain('"account"');
  stop();
  expect((await post('/update-user', { name: '  ' }, owner)).body.field).toBe('name');
});

test('a password change asks for the old one, and signs out other devices if asked to', async () => {
  const owner = await app.signUpByRequest();
  const other = await signInAgain(owner);
  const change = { currentPassword: PASSWORD, newPassword: NEW_PASSWORD };
  const wrong = await post('/change-password', { ...change, currentPassword: 'wrong' }, owner);
  expect([wrong.status, wrong.body.error.field]).toEqual([403, 'currentPassword']);
  expect((await post('/change-password', { ...change, newPassword: '1' }, owner)).body.field).toBe('newPassword');
  const kept = await post('/change-password', change, owner);
  expect([kept.status, kept.body.token, kept.body.user.email]).toEqual([200, null, owner.email]);
  expect([await isIn(owner), await isIn(other)]).toEqual([true, true]);
  const back = { currentPassword: NEW_PASSWORD, newPassword: PASSWORD, revokeOtherSessions: true };
  expect((await post('/change-password', back, owner)).status).toBe(200);
  expect([await isIn(owner), await isIn(other)]).toEqual([true, false]);
  await allSent();
  expect(subjects(owner.email).filter((subject) => subject === 'your password was changed')).toHaveLength(2);
  const tries = await Promise.all(
    Array.from({ length: 12 }, () => post('/change-password', { ...change, currentPassword: 'wrong' }, owner)),
  );
  expect(tries.filter(({ status }) => status === 429)).toHaveLength(2);
});

test('a password change makes mailed links useless', async () => {
  const owner = await app.signUpByRequest();
  await allSent();
  expect(await app.deps.db.$count(accountTokens), 'the link, and the proof of the sign-up').toBe(2);
  await post('/change-password', { currentPassword: PASSWORD, newPassword: NEW_PASSWORD }, owner);
  expect(await app.deps.db.$count(accountTokens)).toBe(0);
});

test('devices are listed, and signed out one by one, each by its owner only', async () => {
  const owner = await app.signUpByRequest();
  const stranger = await app.signUpByRequest();
  const other = await signInAgain(owner);
  const { body } = await app.request('GET', '/api/auth/list-sessions', { as: owner });
  expect(body).toHaveLength(2);
  const { session } = (await app.request('GET', '/api/auth/get-session', { as: other })).body;
  // The cookie is `token.signature`.
  for (const { cookie } of [owner, other]) {
    const secret = decodeURIComponent(/session_token=([^;]+)/u.exec(cookie)?.[1] ?? '').split('.')[0] ?? '';
    expect(secret).not.toBe('');
    expect(JSON.stringify([body, session]), 'what opens the account').not.toContain(secret);
  }
  await post('/revoke-session', { token: session.token }, stranger);
  expect(await isIn(other), 'somebody else’s').toBe(true);
  expect((await post('/revoke-session', { token: session.token }, owner)).status).toBe(200);
  expect([await isIn(owner), await isIn(other)]).toEqual([true, false]);
  expect((await post('/revoke-session', { token: '' }, owner)).status).toBe(400);
});

test('where mail is configured, an email changes by the link that goes to the new one; the old one hears of it', async () => {
  const owner = await app.signUpByRequest();
  const newEmail = 'New.Address@example.com';
  const asked = await post('/change-email', { newEmail, currentPassword: PASSWORD }, owner);
  expect(asked.body).toEqual({ status: true, changed: false });
  await allSent();
  expect((await app.request('GET', '/api/me', { as: owner })).body.user.email).toBe(owner.email);
  const [mail] = mailsTo(smtp, newEmail.toLowerCase());
  const done = await post('/verify-email', { token: mail?.token });
  expect(done.body).toEqual({ status: true, email: newEmail.toLowerCase(), changed: true, suspended: 0 });
  const { user } = (await app.request('GET', '/api/me', { as: owner })).body;
  expect(user).toMatchObject({ email: newEmail.toLowerCase(), emailVerified: true });
  await allSent();
  expect(subjects(owner.email)).toContain('your email was changed');
  expect((await post('/sign-in/email', { email: newEmail, password: PASSWORD })).status).toBe(200);
});

test('an email in use is answered as any other, and gets no mail; a wrong password changes nothing', async () => {
  const owner = await app.signUpByRequest();
  const neighbour = await app.signUpByRequest();
  await allSent();
  smtp.reset();
  const taken = await post('/change-email', { newEmail: neighbour.email, currentPassword: PASSWORD }, owner);
  expect([taken.status, taken.body]).toEqual([200, { status: true, changed: false }]);
  await allSent();
  expect(subjects(neighbour.email)).toEqual([]);
  const wrong = await post('/change-email', { newEmail: 'c@example.com', currentPassword: 'wrong' }, owner);
  expect([wrong.status, wrong.body.error.field]).toEqual([403, 'currentPassword']);
});

test('an address that was taken before its link was opened stays its new owner’s', async () => {
  const owner = await app.signUpByRequest();
  await post('/change-email', { newEmail: 'late@example.com', currentPassword: PASSWORD }, owner);
  await allSent();
  const [mail] = mailsTo(smtp, 'late@example.com');
  await post('/sign-up/email', { name: 'Eve', email: 'late@example.com', password: PASSWORD });
  expect((await post('/verify-email', { token: mail?.token })).status).toBe(400);
  expect((await app.request('GET', '/api/me', { as: owner })).body.user.email).toBe(owner.email);
});

test('without mail an email changes at once; one in use is refused', async () => {
  const owner = await plain.signUpByRequest();
  const neighbour = await plain.signUpByRequest();
  const to = (newEmail: string) => post('/change-email', { newEmail, currentPassword: PASSWORD }, owner, plain);
  const taken = await to(neighbour.email);
  expect([taken.status, taken.body.error.message]).toEqual([409, SENTENCES.emailInUse]);
  expect((await to('fresh@example.com')).body).toEqual({ status: true, changed: true });
  const { user } = (await plain.request('GET', '/api/me', { as: owner })).body;
  expect(user).toMatchObject({ email: 'fresh@example.com', emailVerified: false });
  expect((await to('not an email')).status).toBe(400);
});

test('a person may ask for the confirmation mail again, several times', async () => {
  const owner = await app.signUpByRequest();
  const answers = [];
  for (let i = 0; i < 6; i += 1) answers.push((await post('/send-verification-email', {}, owner)).status);
  expect(answers).toEqual([200, 200, 200, 200, 200, 429]);
});
