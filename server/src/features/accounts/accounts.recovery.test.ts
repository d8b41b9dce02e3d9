import { eq, sql } from 'drizzle-orm';
import { beforeEach, expect, test } from 'vitest';
import { createLog } from '../../platform/log.ts';
import { hashing } from '../../platform/password.ts';
import { countStatements } from '../../testing/count-statements.ts';
import { eventually } from '../../testing/eventually.ts';
import { mailsTo, startFakeSmtp } from '../../testing/fake-smtp.ts';
import { cookieOf, emptyApp, ORIGIN, PASSWORD, testApp } from '../../testing/harness.ts';
import { closing } from '../../testing/lifetimes.ts';
import { runAdminCommand } from '../operator/operator.service.ts';
import { deliverMail } from './accounts.mail.service.ts';
import { accountMails, accountTokens } from './accounts.mail.table.ts';

const NEW_PASSWORD = 'a better password';
const smtp = await closing(startFakeSmtp());
const mailEnv = { SMTP_URL: smtp.url, MAIL_TO: 'desk@example.com', PUBLIC_URL: ORIGIN };
const app = await emptyApp({ env: mailEnv });
const plain = await emptyApp();
beforeEach(() => smtp.reset());

const post = (path: string, body: unknown, on = app) => on.request('POST', `/api/auth${path}`, { body });
const ask = (email: string) => post('/request-password-reset', { email });
const signIn = (email: string, password: string, on = app) => post('/sign-in/email', { email, password }, on);
const resetMails = (email: string) => mailsTo(smtp, email).filter(({ subject }) => subject.includes('reset your'));

async function askAndRead(email: string) {
  await ask(email);
  await eventually(() => expect(resetMails(email)).toHaveLength(1));
  const [mail] = resetMails(email);
  return mail?.token ?? '';
}

test('a mailed link sets a new password once, signs out every device, and says so by mail', async () => {
  const owner = await app.signUpByRequest();
  const token = await askAndRead(owner.email);
  const rows = await app.deps.db.select().from(accountTokens).where(eq(accountTokens.purpose, 'reset'));
  expect(JSON.stringify(rows), 'only the hash is stored').not.toContain(token);
  const done = await post('/reset-password', { token, newPassword: NEW_PASSWORD });
  expect([done.status, done.body]).toEqual([200, { status: true, suspended: 0 }]);
  expect((await app.request('GET', '/api/me', { as: owner })).status).toBe(401);
  expect((await signIn(owner.email, PASSWORD)).status).toBe(401);
  expect((await signIn(owner.email, NEW_PASSWORD)).status).toBe(200);
  await eventually(() =>
    expect(mailsTo(smtp, owner.email).map(({ subject }) => subject)).toContain('Atelier: your password was changed'),
  );
  const again = await post('/reset-password', { token, newPassword: 'yet another one' });
  expect([again.status, again.body.code]).toEqual([400, 'INVALID_TOKEN']);
});

test('of two uses at once one counts, and one used link ends the others', async () => {
  const owner = await app.signUpByRequest();
  await ask(owner.email);
  await ask(owner.email);
  await eventually(() => expect(resetMails(owner.email)).toHaveLength(2));
  const [first, second] = resetMails(owner.email).map(({ token }) => token);
  const both = await Promise.all(
    ['password one', 'password two'].map((newPassword) => post('/reset-password', { token: first, newPassword })),
  );
  expect(both.map(({ status }) => status).sort()).toEqual([200, 400]);
  expect((await post('/reset-password', { token: second, newPassword: NEW_PASSWORD })).status).toBe(400);
});

test.each([null, '', undefined, 0, {}, [], 'x'.repeat(43), '%', 'x'.repeat(5000)].map((token) => ({ token })))(
  'the token $token never matches, even where one with nothing in it is stored',
  async ({ token }) => {
    const owner = await app.signUpByRequest();
    const expiresAt = sql`now() + interval '1 hour'`;
    await app.deps.db
      .insert(accountTokens)
      .values({ hash: '', userId: owner.uid, purpose: 'reset', email: owner.email, expiresAt });
    const before = hashing.begun;
    const answer = await post('/reset-password', { token, newPassword: NEW_PASSWORD });
    expect([answer.status, hashing.begun - before]).toEqual([400, 0]);
    expect((await signIn(owner.email, PASSWORD)).status).toBe(200);
  },
);

test('a link works for 30 minutes, only for its purpose, and not with a password that the rules refuse', async () => {
  const owner = await app.signUpByRequest();
  const token = await askAndRead(owner.email);
  expect((await post('/verify-email', { token })).status, 'another purpose').toBe(400);
  const weak = await post('/reset-password', { token, newPassword: '123' });
  expect([weak.status, weak.body.field]).toEqual([400, 'newPassword']);
  const [row] = await app.deps.db.select().from(accountTokens).where(eq(accountTokens.purpose, 'reset'));
  expect((row?.expiresAt.getTime() ?? 0) - (row?.createdAt.getTime() ?? 0)).toBe(30 * 60_000);
  await app.deps.db.update(accountTokens).set({ expiresAt: sql`now()` });
  expect((await post('/reset-password', { token, newPassword: NEW_PASSWORD })).status, 'too old').toBe(400);
});

test('nobody can tell from answer or work whether an email has an account; only an existing one gets mail', async () => {
  const { email } = await app.signUpByRequest();
  const known = await app.signUpByRequest();
  // Without jobs, so that only the requests' own work is counted.
  const noted: string[] = [];
  const log = createLog((line) => void (line.includes('security.reset_asked') && noted.push(line)));
  const still = await testApp({ env: mailEnv, database: app.deps.database, log });
  await still.deps.jobs.stop();
  const seen: unknown[] = [];
  const askThere = async (address: string) => {
    noted.length = 0;
    const answer = await post('/request-password-reset', { email: address }, still);
    // It follows the answer.
    await eventually(() => expect(noted).toHaveLength(1));
    return answer;
  };
  // The first request of a process prepares statements.
  await askThere('warm-up@example.com');
  for (const address of [email, 'nobody@example.com']) {
    const { value, counted } = await countStatements(() => askThere(address));
    seen.push([value.status, value.body, [...value.headers.keys()].sort(), counted.statements]);
  }
  expect(seen[0]).toEqual(seen[1]);
  await still.close();
  await ask(known.email);
  await ask('somebody@example.com');
  await eventually(async () => expect(await app.deps.db.$count(accountMails)).toBe(0));
  expect(resetMails(known.email)).toHaveLength(1);
  expect(resetMails('somebody@example.com')).toHaveLength(0);
});

test('asking too often changes no answer, and the last link outlives the pause', async () => {
  const { email } = await app.signUpByRequest();
  const answers: unknown[] = [];
  for (let i = 0; i < 6; i += 1) answers.push((await ask(email)).body);
  expect(new Set(answers.map((body) => JSON.stringify(body))).size).toBe(1);
  await eventually(async () => expect(await app.deps.db.$count(accountMails)).toBe(0));
  expect(resetMails(email)).toHaveLength(3);
  const [last] = resetMails(email).slice(-1);
  expect((await post('/reset-password', { token: last?.token, newPassword: NEW_PASSWORD })).status).toBe(200);
});

test('a mail server that is away for now delays a mail, and one that refuses the mailbox ends it', async () => {
  const { email, uid } = await app.signUpByRequest();
  await eventually(async () => expect(await app.deps.db.$count(accountMails)).toBe(0));
  smtp.behave('later');
  await ask(email);
  const [row] = await app.deps.db.select().from(accountMails);
  await expect(deliverMail(app.deps, row?.id ?? '')).rejects.toThrow('did not take');
  smtp.behave('accept');
  await deliverMail(app.deps, row?.id ?? '');
  // The waiting job may have sent it as well: the same mail, by its id.
  await eventually(async () => expect(await app.deps.db.$count(accountMails)).toBe(0));
  expect(new Set(resetMails(email).map(({ to }) => to))).toEqual(new Set([email]));
  smtp.behave('refuse');
  await ask(email);
  await eventually(async () => expect(await app.deps.db.$count(accountMails)).toBe(0));
  expect(uid).not.toBe('');
});

test('without mail the page learns whom to ask, and the operator’s link works once', async () => {
  const owner = await plain.signUpByRequest();
  expect((await plain.request('GET', '/api/auth/recovery')).body).toEqual({
    byMail: false,
    noMailBecause: 'settings',
  });
  expect((await app.request('GET', '/api/auth/recovery')).body).toEqual({ byMail: true, noMailBecause: null });
  const asked = await post('/request-password-reset', { email: owner.email }, plain);
  expect(asked.status).toBe(200);
  expect(await plain.deps.db.$count(accountMails)).toBe(0);
  const { ok, message } = await runAdminCommand(plain.deps, ['reset-link', owner.email.toUpperCase()]);
  expect(ok).toBe(true);
  const [, token] = /http:\/\/localhost:\d+\/login\/reset#([\w-]{43})$/u.exec(message) ?? [];
  expect((await post('/reset-password', { token, newPassword: NEW_PASSWORD }, plain)).status).toBe(200);
  expect((await post('/reset-password', { token, newPassword: NEW_PASSWORD }, plain)).status).toBe(400);
  expect((await signIn(owner.email, NEW_PASSWORD, plain)).status).toBe(200);
  expect((await runAdminCommand(plain.deps, ['reset-link', 'nobody@example.com'])).ok).toBe(false);
});

test('a new account is asked to confirm its email, and works without', async () => {
  const owner = await app.signUpByRequest();
  expect((await app.request('GET', '/api/me', { as: owner })).body.user.emailVerified).toBe(false);
  await eventually(() => expect(mailsTo(smtp, owner.email)).toHaveLength(1));
  const [mail] = mailsTo(smtp, owner.email);
  expect([mail?.subject, mail?.link.startsWith(`${ORIGIN}/login/confirm#`)]).toEqual([
    'Atelier: confirm your email',
    true,
  ]);
  expect((await post('/reset-password', { token: mail?.token, newPassword: NEW_PASSWORD })).status).toBe(400);
  const confirmed = await post('/verify-email', { token: mail?.token });
  expect(confirmed.body).toEqual({ status: true, email: owner.email, changed: false, suspended: 0 });
  expect((await app.request('GET', '/api/me', { as: owner })).body.user.emailVerified).toBe(true);
  expect((await post('/verify-email', { token: mail?.token })).status, 'twice').toBe(400);
  expect((await signIn(owner.email, PASSWORD)).status).toBe(200);
});

test('a forged host changes no link, and a foreign page can’t ask', async () => {
  const { email } = await app.signUpByRequest();
  const body = { email };
  const forged = await app.request('POST', '/api/auth/request-password-reset', {
    body,
    headers: { host: 'evil.example', 'x-forwarded-host': 'evil.example' },
  });
  expect(forged.status).toBe(200);
  await eventually(() => expect(resetMails(email)).toHaveLength(1));
  expect(resetMails(email)[0]?.link.startsWith(`${ORIGIN}/login/reset#`)).toBe(true);
  const foreign = await app.request('POST', '/api/auth/request-password-reset', {
    body,
    headers: { origin: 'https://evil.example' },
  });
  expect(foreign.status).toBe(403);
});

test('a reset makes the device known that it was done on', async () => {
  const { email } = await app.signUpByRequest();
  const token = await askAndRead(email);
  const done = await post('/reset-password', { token, newPassword: NEW_PASSWORD });
  expect(cookieOf(done.headers)).toContain('atelier_device=');
});
