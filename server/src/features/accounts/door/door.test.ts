import { eq, sql } from 'drizzle-orm';
import { beforeEach, expect, test } from 'vitest';
import { cookieJar } from '../../../testing/cookie-jar.ts';
import { eventually } from '../../../testing/eventually.ts';
import { mailedToken, mailsTo, startFakeSmtp } from '../../../testing/fake-smtp.ts';
import { emptyApp, ORIGIN, PASSWORD, type TestUser } from '../../../testing/harness.ts';
import { closing } from '../../../testing/lifetimes.ts';
import { signInAt } from '../../../testing/mcp/oauth-server.ts';
import { startOpenId } from '../../../testing/sign-in-providers.ts';
import { proGrants } from '../../billing/billing.table.ts';
import { runAdminCommand } from '../../operator/operator.service.ts';
import { authSession } from '../accounts.identity.table.ts';
import { accountMails } from '../accounts.mail.table.ts';
import { user } from '../accounts.table.ts';
import { invitations } from './invitations.table.ts';

const BACK = `${ORIGIN}/api/auth/callback/oidc`;

const [school, smtp] = await Promise.all([closing(startOpenId(BACK)), closing(startFakeSmtp())]);
const app = await emptyApp({
  env: {
    ...school.env,
    PUBLIC_URL: ORIGIN,
    SMTP_URL: smtp.url,
    MAIL_TO: 'desk@example.com',
    TRUSTED_PROXIES: '127.0.0.1',
    AUTH_RATE_MAX: '20',
  },
});
beforeEach(() => {
  smtp.reset();
  school.people.clear();
});

const admin = (...args: string[]) => runAdminCommand(app.deps, args);
const set = async (key: string, value: string) =>
  expect(await admin('setting', key, value)).toMatchObject({ ok: true });
const tokenIn = (message: string) => /signup#(?<token>[\w-]+)/u.exec(message)?.groups?.token ?? '';
const inviteByOperator = async (...args: string[]) => tokenIn((await admin('invite', ...args)).message);

interface Asked {
  email?: string;
  invitation?: string;
  from?: string;
}
let people = 0;
function signUp({ email = `new-${(people += 1)}@example.com`, invitation, from }: Asked = {}) {
  const body = { name: 'Ada', email, password: PASSWORD, invitation };
  return app.request('POST', '/api/auth/sign-up/email', { body, headers: from ? { 'x-forwarded-for': from } : {} });
}
const signIn = (email: string) =>
  app.request('POST', '/api/auth/sign-in/email', { body: { email, password: PASSWORD } });
const door = async (invitation?: string) =>
  (await app.request('POST', '/api/auth/door', { body: { invitation } })).body;
const refusalOf = async (asked: Asked) => {
  const { status, body } = await signUp(asked);
  return [status, body.code];
};
async function enterBySchool(invitation?: string) {
  const at = cookieJar(app);
  const begun = await at.request('POST', '/api/auth/sign-in/social', { provider: 'oidc', invitation });
  const back = await signInAt(begun.body.url, BACK);
  const answer = await at.request('GET', back.slice(ORIGIN.length));
  return { at, place: answer.headers.get('location') ?? '' };
}
const planOf = async (email: string) => {
  const answer = await app.deps.database.executeSql(
    `select subscription_status as plan from profiles p join "user" u on u.id = p.user_id where u.email = $1`,
    [email],
  );
  return answer.rows[0]?.plan;
};

test('open at first; closed for everybody, also by a provider, until it is opened again', async () => {
  expect(await door()).toEqual({ mode: 'open', domains: [], invitation: null });
  expect((await signUp()).status).toBe(200);
  await set('sign-up', 'closed');
  expect((await door()).mode).toBe('closed');
  const invitation = await inviteByOperator();
  expect(await refusalOf({})).toEqual([403, 'SIGN_UP_CLOSED']);
  expect(await refusalOf({ invitation })).toEqual([403, 'SIGN_UP_CLOSED']);
  school.people.set('ada', { email: 'ada@school.example', email_verified: true });
  expect((await enterBySchool()).place).toMatch(/^\/login\?error=SIGN_UP_CLOSED/u);
  expect(await app.deps.db.$count(user)).toBe(1);
  await set('sign-up', 'open');
  expect((await enterBySchool()).place).toBe('/runtime');
  await set('sign-up', 'closed');
  expect((await enterBySchool()).place, 'who is in stays in').toBe('/runtime');
});

test('by invitation: as many as it has, until its end, and each refusal says why', async () => {
  await set('sign-up', 'invitation');
  expect(await refusalOf({})).toEqual([403, 'INVITATION_NEEDED']);
  const invitation = await inviteByOperator('--people', '2');
  expect(await door(invitation)).toMatchObject({ mode: 'invitation', invitation: 'open' });
  expect((await signUp({ invitation })).status).toBe(200);
  // Refused for another reason, it isn't used.
  const weak = { name: 'Ada', email: 'weak@example.com', password: 'x', invitation };
  expect((await app.request('POST', '/api/auth/sign-up/email', { body: weak })).status).toBe(400);
  const both = await Promise.all([signUp({ invitation }), signUp({ invitation })]);
  expect(both.map(({ status }) => status).toSorted(), 'at once').toEqual([200, 403]);
  expect(await refusalOf({ invitation })).toEqual([403, 'INVITATION_USED_UP']);
  expect((await door(invitation)).invitation).toBe('INVITATION_USED_UP');
  const old = await inviteByOperator();
  await app.deps.db
    .update(invitations)
    .set({ endsAt: sql`now() - interval '1 second'` })
    .where(eq(invitations.token, old));
  expect(await refusalOf({ invitation: old })).toEqual([403, 'INVITATION_ENDED']);
  expect(await refusalOf({ invitation: 'x'.repeat(43) })).toEqual([403, 'INVITATION_UNKNOWN']);
  expect((await app.request('POST', '/api/auth/door', { body: { invitation: 'x'.repeat(201) } })).status).toBe(400);
  expect((await app.request('POST', '/api/auth/door', { body: { invitation: ['x'] } })).status).toBe(400);
  expect(await app.deps.db.$count(user)).toBe(2);
});

test('by invitation through a provider', async () => {
  await set('sign-up', 'invitation');
  school.people.set('ada', { email: 'ada@school.example', email_verified: true });
  expect((await enterBySchool()).place).toMatch(/^\/login\?error=INVITATION_NEEDED/u);
  const invitation = await inviteByOperator('--plan', 'pro');
  expect((await enterBySchool(invitation)).place).toBe('/runtime');
  expect(await planOf('ada@school.example')).toBe('pro');
  const [{ uses } = { uses: 0 }] = await app.deps.db.select().from(invitations);
  expect(uses).toBe(1);
  expect((await enterBySchool()).place).toBe('/runtime');
});

test('by domain only once the email is confirmed; a domain below it is another one', async () => {
  expect((await admin('setting', 'sign-up', 'domain')).message).toContain('until sign-up-domains names a domain');
  await set('sign-up-domains', 'School.example');
  expect(await door()).toMatchObject({ mode: 'domain', domains: ['school.example'] });
  for (const email of ['a@example.com', 'a@evil.school.example', 'a@evilschool.example', 'a@school.example.com']) {
    expect(await refusalOf({ email }), email).toEqual([403, 'WRONG_DOMAIN']);
  }
  const email = 'ada@school.example';
  const waiting = await signUp({ email });
  expect(waiting.body).toMatchObject({ token: null, waitingFor: 'confirmation' });
  expect(waiting.headers.getSetCookie()).toEqual([]);
  expect(await app.deps.db.$count(authSession)).toBe(0);
  const refused = await signIn(email);
  expect([refused.status, refused.body.code]).toEqual([403, 'ACCOUNT_UNCONFIRMED']);
  expect(refused.body.message).toContain('We have just sent you another mail');
  for (let i = 0; i < 5; i += 1) expect((await signIn(email)).body.code).toBe('ACCOUNT_UNCONFIRMED');
  await eventually(async () => expect(await app.deps.db.$count(accountMails)).toBe(0));
  const mails = mailsTo(smtp, email);
  expect([mails.length, mails.filter(({ text }) => text.includes('works without it'))]).toEqual([6, []]);
  const token = mails.at(-1)?.token ?? '';
  expect((await app.request('POST', '/api/auth/verify-email', { body: { token } })).status).toBe(200);
  expect((await signIn(email)).status).toBe(200);
  const invited = await inviteByOperator();
  expect((await signUp({ email: 'guest@example.com', invitation: invited })).body.waitingFor).toBeUndefined();
});

test('a provider’s word confirms the email of a domain, and only its word; approval waits for the operator all the same', async () => {
  await set('sign-up-domains', 'school.example');
  await set('sign-up', 'domain');
  for (const email_verified of [false, undefined]) {
    school.people.set('ada', { email: 'ada@school.example', email_verified });
    expect((await enterBySchool()).place).toMatch(/^\/login\?error=EMAIL_UNVERIFIED/u);
  }
  school.people.set('ada', { email: 'ada@other.example', email_verified: true });
  expect((await enterBySchool()).place).toMatch(/^\/login\?error=WRONG_DOMAIN/u);
  await set('sign-up', 'approval');
  const { at, place } = await enterBySchool();
  expect(place).toMatch(/^\/login\?error=ACCOUNT_UNAPPROVED/u);
  expect((await at.request('GET', '/api/me')).status).toBe(401);
  expect((await enterBySchool()).place, 'again').toMatch(/^\/login\?error=ACCOUNT_UNAPPROVED/u);
  expect((await admin('approve', 'ada@other.example')).ok).toBe(true);
  expect((await enterBySchool()).place).toBe('/runtime');
  await app.reset();
  await set('sign-up-domains', 'school.example');
  await set('sign-up', 'domain');
  school.people.set('ada', { email: 'ada@school.example', email_verified: true });
  expect((await enterBySchool()).place).toBe('/runtime');
});

test('with approval: waits, is let in and told, or is deleted; a sign-in that was there is none meanwhile', async () => {
  await set('sign-up', 'approval');
  const [ada, eve] = ['ada@example.com', 'eve@example.com'];
  for (const email of [ada, eve]) expect((await signUp({ email })).body.waitingFor).toBe('approval');
  expect((await admin('waiting')).message).toMatch(/ada@example\.com.*waits for approval\n.*eve@example\.com/u);
  expect((await signIn(ada)).body.code).toBe('ACCOUNT_UNAPPROVED');
  expect((await app.request('POST', '/api/auth/request-password-reset', { body: { email: ada } })).status).toBe(200);
  const token = await mailedToken(smtp, ada, '/login/reset#');
  const reset = await app.request('POST', '/api/auth/reset-password', { body: { token, newPassword: PASSWORD } });
  expect(reset.status).toBe(200);
  expect((await signIn(ada)).body.code, 'still').toBe('ACCOUNT_UNAPPROVED');
  expect((await admin('approve', ada)).message).toBe('ada@example.com may log in now. They get a mail.');
  await eventually(async () =>
    expect(mailsTo(smtp, ada).map(({ subject }) => subject)).toContain('Atelier: your account is ready'),
  );
  expect((await signIn(ada)).status).toBe(200);
  expect((await admin('approve', ada)).ok).toBe(false);
  expect((await admin('reject', ada)).message).toBe('ada@example.com isn’t waiting.');
  expect((await admin('reject', eve)).ok).toBe(true);
  expect((await admin('waiting')).message).toBe('Nobody is waiting.');
  expect(await app.deps.db.$count(user)).toBe(1);
  const [row] = await app.deps.db.select().from(user);
  const at: TestUser = { uid: row?.id ?? '', email: ada, cookie: (await signInCookie(ada)) ?? '' };
  await app.deps.db.update(user).set({ waitingFor: 'approval' });
  expect((await app.request('GET', '/api/me', { as: at })).status).toBe(401);
});
const signInCookie = async (email: string) => (await signIn(email)).headers.getSetCookie()[0]?.split(';')[0];

test('thirty people behind one address come by one invitation, or from the operator’s network', async () => {
  const from = '203.0.113.7';
  const invitation = await inviteByOperator('--people', '30');
  for (let i = 0; i < 30; i += 1) expect((await signUp({ invitation, from })).status).toBe(200);
  // Without one, an address has its limit, and a used-up one changes nothing.
  let status = 200;
  for (let i = 0; i < 21 && status !== 429; i += 1) ({ status } = await signUp({ invitation, from }));
  expect(status).toBe(429);
  await set('own-networks', '203.0.113.0/24,2001:db8::/32');
  expect((await signUp({ from })).status).toBe(200);
  expect((await admin('setting', 'own-networks', 'school')).message).toContain('neither an IP address nor a block');
});

test('an invitation that is tried again and again is counted too', async () => {
  const invitation = await inviteByOperator();
  const email = (await app.signUpByRequest()).email;
  let status = 422;
  for (let i = 0; i < 24 && status !== 429; i += 1) {
    ({ status } = await signUp({ email, invitation, from: `198.51.100.${i}` }));
  }
  expect(status).toBe(429);
});

test('the plan of new accounts: of all, of an invitation, of a confirmed domain; each grant is written down', async () => {
  const email = async (asked: Asked) => (await signUp(asked)).body.user.email;
  expect(await planOf(await email({}))).toBe('free');
  await set('new-account-plan', 'pro');
  expect(await planOf(await email({}))).toBe('pro');
  expect(await planOf(await email({ invitation: await inviteByOperator('--plan', 'free') }))).toBe('free');
  await set('new-account-plan', 'free');
  await set('sign-up-domains', 'school.example');
  await set('domain-plan', 'pro');
  const ada = await email({ email: 'ada@school.example' });
  expect(await planOf(ada), 'not yet').toBe('free');
  const token = await mailedToken(smtp, ada, '/login/confirm#');
  await app.request('POST', '/api/auth/verify-email', { body: { token } });
  expect(await planOf(ada)).toBe('pro');
  const grants = await app.deps.db.select().from(proGrants).orderBy(proGrants.createdAt);
  expect(grants.map(({ source, reason }) => [source, reason])).toEqual([
    ['operator', 'by the setting new-account-plan'],
    ['operator', 'by the setting domain-plan'],
  ]);
  // What confirms an email first may also be a change of it, or a provider.
  const body = { newEmail: 'bob@school.example', currentPassword: PASSWORD };
  await app.request('POST', '/api/auth/change-email', { as: await app.signUpByRequest(), body });
  const second = await mailedToken(smtp, body.newEmail, '/login/confirm#');
  await app.request('POST', '/api/auth/verify-email', { body: { token: second } });
  expect(await planOf(body.newEmail)).toBe('pro');
  for (const email_verified of [false, true]) {
    school.people.set('ada', { email: 'cyd@school.example', email_verified });
    expect((await enterBySchool()).place).toBe('/runtime');
    expect(await planOf('cyd@school.example')).toBe(email_verified ? 'pro' : 'free');
  }
});

test('Pro for a list, or for the confirmed emails of a domain', async () => {
  const emails = ['ada@school.example', 'bob@school.example'];
  for (const email of [...emails, 'cyd@other.example']) expect((await signUp({ email })).status).toBe(200);
  const many = (...args: string[]) => admin('grant-pro', ...args, '--reason', 'class of 2027');
  expect((await many('--list', `ada@school.example\n DAN@school.example`)).message).toBe(
    '1 accounts are Pro now; 0 were already.\nNo account has these emails: dan@school.example',
  );
  expect((await many('--domain', 'school.example')).message).toContain('0 accounts are Pro now; 0 were already.');
  await app.deps.db.update(user).set({ emailVerified: true });
  expect((await many('--domain', 'school.example')).message).toContain('1 accounts are Pro now; 1 were already.');
  expect(await Promise.all(emails.map(planOf))).toEqual(['pro', 'pro']);
  expect(await planOf('cyd@other.example')).toBe('free');
  expect((await admin('grant-pro', '--domain', 'school.example')).ok, 'without a reason').toBe(false);
  expect((await many('--domain', 'a.example', '--list', 'x')).ok).toBe(false);
});

test('the operator’s commands say what is wrong', async () => {
  for (const args of [
    ['setting', 'sign-up', 'ajar'],
    ['setting', 'constructor', 'x'],
    ['setting', 'sign-up', 'open', 'more'],
    ['setting', 'member-invitations', 'many'],
    ['setting', 'sign-up-domains', 'school'],
    ['invite', '--people', '0'],
    ['invite', '--plan', 'gold'],
    ['invite', 'somebody'],
    ['invite-end', 'x'],
    ['invite-end'],
    ['approve', 'nobody@example.com'],
    ['waiting', 'x'],
  ]) {
    expect((await admin(...args)).ok, args.join(' ')).toBe(false);
  }
  expect((await admin('setting')).message).toContain('sign-up = open\n');
  expect((await admin('setting', 'sign-up')).message).toBe('sign-up = open');
  await set('sign-up-domains', 'a.example, b.example');
  expect((await admin('setting', 'sign-up-domains')).message).toBe('sign-up-domains = a.example,b.example');
  await set('sign-up-domains', 'none');
  expect((await admin('setting', 'sign-up-domains')).message).toBe('sign-up-domains = none');
  expect((await admin('invitations')).message).toBe('No invitation is open.');
  const token = await inviteByOperator('--people', '3');
  const listed = (await admin('invitations')).message;
  expect(listed).toContain(token);
  expect(listed).toContain('0 of 3 used');
  expect((await admin('invite-end', listed.slice(0, 36))).ok).toBe(true);
  expect((await door(token)).invitation).toBe('INVITATION_UNKNOWN');
});
