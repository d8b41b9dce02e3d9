import { eq, sql } from 'drizzle-orm';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { cookieJar } from '../../../testing/cookie-jar.ts';
import { eventually } from '../../../testing/eventually.ts';
import { cookieOf, emptyApp, ORIGIN, PASSWORD, type TestUser } from '../../../testing/harness.ts';
import { beforeInsert, beforeTransaction } from '../../../testing/in-between.ts';
import { closing } from '../../../testing/lifetimes.ts';
import { startMcpServer } from '../../../testing/mcp/http-server.ts';
import { signInAt } from '../../../testing/mcp/oauth-server.ts';
import { startGoogle } from '../../../testing/sign-in-providers.ts';
import {
  addPasskey,
  beginPasskey,
  codeOf,
  nextCodeOf,
  softPasskey,
  turnOnTwoFactor,
} from '../../../testing/ways-in.ts';
import { apiKeys } from '../../keys/keys.table.ts';
import { mcpServers } from '../../mcp/mcp.table.ts';
import { shares } from '../../shares/shares.table.ts';
import {
  authAccount,
  authSession,
  passkeys,
  suspendedWays,
  twoFactor,
  verification,
} from '../accounts.identity.table.ts';
import { deliverMail } from '../accounts.mail.service.ts';
import { accountMails, accountTokens } from '../accounts.mail.table.ts';
import { lockUser } from '../accounts.service.ts';
import { user } from '../accounts.table.ts';
import { issueToken } from '../accounts.tokens.service.ts';
import { suspendWays } from './suspension.service.ts';

// A request was allowed, and before it writes, the owner's new password is committed.

const NEW_PASSWORD = 'a better password';
const BACK = `${ORIGIN}/api/auth/callback/google`;
let eve: TestUser;
const google = await closing(startGoogle(BACK));
google.people.set('ada', { email: 'elsewhere@example.com', email_verified: true, name: 'Eve' });
const tools = await closing(startMcpServer([{ name: 'act', description: 'Acts.', inputSchema: { type: 'object' } }]));
const app = await emptyApp({ env: { ...google.env, PUBLIC_URL: ORIGIN, FETCH_ALLOWED: '127.0.0.1' } });
beforeEach(async () => {
  eve = await app.signUpPro();
});
afterEach(() => void vi.restoreAllMocks());

const post = (path: string, body: unknown, as: TestUser = eve) => app.request('POST', path, { as, body });
const signIn = async (password: string): Promise<TestUser> => {
  const answer = await app.request('POST', '/api/auth/sign-in/email', { body: { email: eve.email, password } });
  expect(answer.status).toBe(200);
  return { ...eve, cookie: cookieOf(answer.headers) };
};

async function reset() {
  const token = await issueToken(app.deps.db, { userId: eve.uid, purpose: 'operator_reset', email: eve.email });
  expect(
    (await app.request('POST', '/api/auth/reset-password', { body: { token, newPassword: NEW_PASSWORD } })).status,
  ).toBe(200);
}

async function changePassword(as: TestUser) {
  const change = { currentPassword: PASSWORD, newPassword: NEW_PASSWORD, revokeOtherSessions: true };
  expect((await post('/api/auth/change-password', change, as)).status).toBe(200);
}

const REPLACEMENTS = [
  { by: 'a reset', replace: async () => reset },
  {
    by: 'a change that signs others out',
    replace: async () => {
      const owner = await signIn(PASSWORD);
      return () => changePassword(owner);
    },
  },
];

test.each(REPLACEMENTS)('$by ends a key that is being made', async ({ replace }) => {
  beforeTransaction(app, await replace());
  expect((await post('/api/keys', { name: 'Script' })).status).toBe(401);
  expect(await app.deps.db.$count(apiKeys)).toBe(0);
});

test.each(REPLACEMENTS)('$by ends a sign-in with the old password', async ({ replace }) => {
  const between = await replace();
  beforeInsert(app, authSession, between);
  const body = { email: eve.email, password: PASSWORD };
  const refused = await app.request('POST', '/api/auth/sign-in/email', { body });
  expect([refused.status, refused.body.code, cookieOf(refused.headers)]).toEqual([
    401,
    'INVALID_EMAIL_OR_PASSWORD',
    '',
  ]);
  const left = await app.deps.db.$count(authSession, eq(authSession.userId, eve.uid));
  expect(left, 'the owner’s alone').toBe(between === reset ? 0 : 1);
});

/** A sign-in that has given the password and waits for its code. */
async function beginWithCode() {
  const { secret } = await turnOnTwoFactor(app, eve);
  const body = { email: eve.email, password: PASSWORD };
  const begun = await app.request('POST', '/api/auth/sign-in/email', { body });
  const headers = { cookie: cookieOf(begun.headers) };
  return () => app.request('POST', '/api/auth/two-factor/verify-totp', { body: { code: nextCodeOf(secret) }, headers });
}

test('a reset ends a sign-in that is about to ask for its code', async () => {
  await turnOnTwoFactor(app, eve);
  beforeInsert(app, verification, reset);
  const body = { email: eve.email, password: PASSWORD };
  expect((await app.request('POST', '/api/auth/sign-in/email', { body })).status).toBe(401);
  expect(await app.deps.db.$count(verification, eq(verification.value, eve.uid))).toBe(0);
});

test.each([
  ['a reset', reset, 0],
  ['a change that signs others out', () => changePassword(eve), 1],
])('%s ends a sign-in whose code is being checked', async (_, between, left) => {
  const finish = await beginWithCode();
  beforeInsert(app, authSession, between);
  const refused = await finish();
  expect([refused.status, refused.body.code, cookieOf(refused.headers)]).toEqual([
    401,
    'INVALID_TWO_FACTOR_COOKIE',
    '',
  ]);
  expect(await app.deps.db.$count(authSession), 'the owner’s alone').toBe(left);
});

test('without a reset the code signs in', async () => {
  expect((await (await beginWithCode())()).status).toBe(200);
});

test.each([
  ['begun', twoFactor],
  ['finished', authSession],
])('a reset ends a second factor whose set-up is being %s', async (_, into) => {
  const enable = () => post('/api/auth/two-factor/enable', { password: PASSWORD });
  const begun = into === authSession ? await enable() : null;
  beforeInsert(app, into, reset);
  const code = codeOf(new URL(begun?.body.totpURI ?? 'otpauth://none').searchParams.get('secret') ?? '');
  const refused = await (begun === null ? enable() : post('/api/auth/two-factor/verify-totp', { code }));
  expect([refused.status, refused.body.error?.code]).toEqual([401, 'signed_out']);
  expect(await app.deps.db.$count(twoFactor)).toBe(0);
  const answer = await app.request('POST', '/api/auth/sign-in/email', {
    body: { email: eve.email, password: NEW_PASSWORD },
  });
  expect([answer.status, answer.body.twoFactorRedirect]).toEqual([200, undefined]);
});

const throughGoogle = async (path: string, cookie: string) => {
  const { request } = cookieJar(app, cookie);
  const { url } = (await request('POST', `/api/auth/${path}`, { provider: 'google' })).body;
  const back = await signInAt(url, BACK);
  return async () => (await request('GET', back.slice(ORIGIN.length))).headers.get('location');
};

test('a reset ends an account elsewhere that is being linked, and a sign-in with one', async () => {
  const link = await throughGoogle('link-social', eve.cookie);
  beforeInsert(app, authAccount, reset);
  await link();
  expect(await app.deps.db.$count(authAccount, eq(authAccount.providerId, 'google'))).toBe(0);
  vi.restoreAllMocks();

  eve = await signIn(NEW_PASSWORD);
  expect(await (await throughGoogle('link-social', eve.cookie))()).toBe('/account?linked=google');
  const enter = await throughGoogle('sign-in/social', '');
  beforeInsert(app, authSession, reset);
  expect(await enter()).toBe('/login?error=state_mismatch');
  expect(await app.deps.db.$count(authSession, eq(authSession.userId, eve.uid))).toBe(0);
});

test.each([
  [
    'an email that is being changed',
    'POST /api/auth/change-email',
    { newEmail: 'eve@evil.test', currentPassword: PASSWORD },
  ],
  ['a tool server that is being added', 'POST /api/mcp-servers', { name: 'Mine', url: '', headers: { key: 'x' } }],
  ['a deletion of the account', 'DELETE /api/me', { password: PASSWORD }],
])('a reset ends %s', async (_, call, given) => {
  const [method = '', path = ''] = call.split(' ');
  beforeTransaction(app, reset);
  const body = 'url' in given ? { ...given, url: tools.url } : given;
  expect((await app.request(method, path, { as: eve, body })).status).toBe(401);
  const [row] = await app.deps.db.select({ email: user.email }).from(user).where(eq(user.id, eve.uid));
  expect([row?.email, await app.deps.db.$count(mcpServers)]).toEqual([eve.email, 0]);
});

test('signing out elsewhere ends a first password that is being set', async () => {
  await app.deps.db.delete(authAccount);
  beforeTransaction(app, () => Promise.resolve(app.deps.db.delete(authSession)));
  expect((await post('/api/auth/set-password', { newPassword: NEW_PASSWORD })).status).toBe(401);
  expect(await app.deps.db.$count(authAccount)).toBe(0);
});

test('a link to another address is mailed neither after a reset nor during it', async () => {
  const { db } = app.deps;
  const mail = { recipient: 'eve@evil.test', content: { kind: 'change_email' as const } };
  const wait = async (id: string) => void (await db.insert(accountMails).values({ ...mail, id, userId: eve.uid }));
  const [before, during] = ['01890000-0000-7000-8000-000000000001', '01890000-0000-7000-8000-000000000002'];
  await wait(before);
  await reset();
  await deliverMail(app.deps, before);
  await wait(during);
  beforeTransaction(app, reset);
  await deliverMail(app.deps, during);
  expect([await db.$count(accountMails), await db.$count(accountTokens)]).toEqual([0, 0]);
});

test.runIf(process.env.TEST_DATABASE_URL)(
  'of two links to reset a password that are used at once one works',
  async () => {
    const { db } = app.deps;
    const issued = { userId: eve.uid, purpose: 'operator_reset' as const, email: eve.email };
    const tokens = [await issueToken(db, issued), await issueToken(db, issued)];
    const { promise, resolve } = Promise.withResolvers<void>();
    const held = db.transaction(async (tx) => {
      await lockUser(tx, eve.uid);
      await promise;
    });
    const both = Promise.all(
      tokens.map((token) => post('/api/auth/reset-password', { token, newPassword: NEW_PASSWORD })),
    );
    const waiting = sql`(select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock') as waiting`;
    await eventually(async () => expect(await db.$count(waiting)).toBe(2));
    resolve();
    expect((await both).map(({ status }) => status).toSorted()).toEqual([200, 400]);
    await held;
  },
);

test.each(REPLACEMENTS)('$by ends a link that is being made', async ({ replace }) => {
  await post('/api/agents', { name: 'Notes', prompt: 'p' });
  const sessionId = await app.startSession(eve, 'notes');
  const asked = { sessionId, agentId: 'notes', inputText: 'Hello' };
  expect((await post('/api/runAgentTask', asked)).status).toBe(200);
  beforeTransaction(app, await replace());
  expect((await post(`/api/sessions/${sessionId}/shares`, {})).status).toBe(401);
  expect(await app.deps.db.$count(shares)).toBe(0);
});

test.each(REPLACEMENTS)('$by leaves suspended what is being kept', async ({ replace }) => {
  expect((await post('/api/keys', { name: 'Script' })).status).toBe(201);
  await app.deps.db.transaction((tx) => suspendWays(app.deps, tx, eve.uid, { twoFactor: false }));
  const [{ id }] = (await app.request('GET', '/api/auth/ways', { as: eve })).body.suspended;
  beforeTransaction(app, await replace());
  expect((await post('/api/auth/keep-ways', { ids: [id] })).status).toBe(401);
  expect(await app.deps.db.$count(apiKeys)).toBe(0);
  expect(await app.deps.db.$count(suspendedWays)).toBe(1);
});

test.each(REPLACEMENTS)('$by ends a passkey that is being added', async ({ replace }) => {
  const { challenge, finish } = await beginPasskey(app, eve);
  beforeInsert(app, passkeys, await replace());
  expect((await finish(softPasskey().register({ challenge, origin: ORIGIN }))).status).toBe(401);
  expect(await app.deps.db.$count(passkeys)).toBe(0);
});

test.each(REPLACEMENTS)('$by ends a sign-in with a passkey that it suspends', async ({ replace }) => {
  const key = await addPasskey(app, eve);
  const between = await replace();
  const begun = await app.request('POST', '/api/auth/passkey/generate-authenticate-options', { body: {} });
  const response = key.authenticate({ challenge: String(begun.body.challenge), origin: ORIGIN });
  beforeInsert(app, authSession, between);
  const refused = await app.request('POST', '/api/auth/passkey/verify-authentication', {
    body: { response },
    headers: { cookie: cookieOf(begun.headers) },
  });
  expect([refused.status, cookieOf(refused.headers)]).toEqual([401, '']);
  expect(await app.deps.db.$count(authSession, eq(authSession.userId, eve.uid))).toBe(between === reset ? 0 : 1);
});
