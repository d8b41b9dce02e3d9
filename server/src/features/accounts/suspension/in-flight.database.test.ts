import { eq } from 'drizzle-orm';
import type { PgTable } from 'drizzle-orm/pg-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { codeOf } from '../../../testing/authenticator.ts';
import { cookieOf, ORIGIN, PASSWORD, type TestApp, type TestUser, testApp } from '../../../testing/harness.ts';
import { softPasskey } from '../../../testing/soft-passkey.ts';
import { apiKeys } from '../../keys/keys.table.ts';
import { shares } from '../../shares/shares.table.ts';
import { authSession, verification } from '../accounts.identity.table.ts';
import { passkeys } from '../accounts.passkeys.table.ts';
import { suspendedWays } from '../accounts.suspension.table.ts';
import { issueToken } from '../accounts.tokens.service.ts';
import { suspendWays } from './suspension.service.ts';

// A request was allowed, and before it writes, the owner's new password is committed.

const NEW_PASSWORD = 'a better password';
let app: TestApp;
let eve: TestUser;
beforeAll(async () => {
  app = await testApp();
});
beforeEach(async () => {
  await app.reset();
  eve = await app.signUpPro();
});
afterEach(() => void vi.restoreAllMocks());
afterAll(() => app.close());

const post = (path: string, body: unknown, as: TestUser | undefined = eve) => app.request('POST', path, { as, body });
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

/** Commits `between` before the transaction that the next request begins. */
function beforeTransaction(between: () => Promise<unknown>) {
  const { db } = app.deps;
  const begin = db.transaction.bind(db);
  vi.spyOn(db, 'transaction').mockImplementationOnce(async (...work) => {
    await between();
    return begin(...work);
  });
}

/** Commits `between` before the next row of a table, outside of transactions. */
function beforeInsert(into: PgTable, between: () => Promise<unknown>) {
  const { db } = app.deps;
  const insert = db.insert.bind(db);
  let isDone = false;
  vi.spyOn(db, 'insert').mockImplementation((table) => {
    const begun = insert(table);
    if (isDone || table !== into) return begun;
    isDone = true;
    const values = begun.values.bind(begun);
    begun.values = (...rows: Parameters<typeof values>) => {
      const query = values(...rows);
      const execute = query.execute.bind(query);
      query.execute = async (...given) => {
        await between();
        return execute(...given);
      };
      return query;
    };
    return begun;
  });
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
  beforeTransaction(await replace());
  expect((await post('/api/keys', { name: 'Script' })).status).toBe(401);
  expect(await app.deps.db.$count(apiKeys)).toBe(0);
});

test.each(REPLACEMENTS)('$by ends a sign-in with the old password', async ({ replace }) => {
  const between = await replace();
  beforeInsert(authSession, between);
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

test('a reset ends a sign-in that is about to ask for its code', async () => {
  const { totpURI } = (await post('/api/auth/two-factor/enable', { password: PASSWORD })).body;
  const code = codeOf(new URL(totpURI).searchParams.get('secret') ?? '');
  expect((await post('/api/auth/two-factor/verify-totp', { code })).status).toBe(200);
  beforeInsert(verification, reset);
  const body = { email: eve.email, password: PASSWORD };
  expect((await app.request('POST', '/api/auth/sign-in/email', { body })).status).toBe(401);
  expect(await app.deps.db.$count(verification, eq(verification.value, eve.uid))).toBe(0);
});

test.each(REPLACEMENTS)('$by ends a link that is being made', async ({ replace }) => {
  await post('/api/agents', { name: 'Notes', prompt: 'p' });
  const sessionId = await app.startSession(eve, 'notes');
  const asked = { sessionId, agentId: 'notes', inputText: 'Hello' };
  expect((await post('/api/runAgentTask', asked)).status).toBe(200);
  beforeTransaction(await replace());
  expect((await post(`/api/sessions/${sessionId}/shares`, {})).status).toBe(401);
  expect(await app.deps.db.$count(shares)).toBe(0);
});

test.each(REPLACEMENTS)('$by leaves suspended what is being kept', async ({ replace }) => {
  expect((await post('/api/keys', { name: 'Script' })).status).toBe(201);
  await app.deps.db.transaction((tx) => suspendWays(app.deps, tx, eve.uid, { twoFactor: false }));
  const [{ id }] = (await app.request('GET', '/api/auth/ways', { as: eve })).body.suspended;
  beforeTransaction(await replace());
  expect((await post('/api/auth/keep-ways', { ids: [id] })).status).toBe(401);
  expect(await app.deps.db.$count(apiKeys)).toBe(0);
  expect(await app.deps.db.$count(suspendedWays)).toBe(1);
});

const passkeyCall = async (path: string, body: object, cookie: string) =>
  app.request('POST', `/api/auth/passkey/${path}`, { body, headers: { cookie } });

/** Begins to add a passkey; `finish` adds it. */
async function beginPasskey() {
  const begun = await passkeyCall('generate-register-options', { password: PASSWORD }, eve.cookie);
  const key = softPasskey();
  const response = key.register({ challenge: String(begun.body.challenge), origin: ORIGIN });
  const cookie = `${eve.cookie}; ${cookieOf(begun.headers)}`;
  return { key, finish: () => passkeyCall('verify-registration', { name: 'Laptop', response }, cookie) };
}

test.each(REPLACEMENTS)('$by ends a passkey that is being added', async ({ replace }) => {
  const { finish } = await beginPasskey();
  beforeInsert(passkeys, await replace());
  expect((await finish()).status).toBe(401);
  expect(await app.deps.db.$count(passkeys)).toBe(0);
});

test.each(REPLACEMENTS)('$by ends a sign-in with a passkey that it suspends', async ({ replace }) => {
  const { key, finish } = await beginPasskey();
  expect((await finish()).status).toBe(200);
  const between = await replace();
  const begun = await passkeyCall('generate-authenticate-options', {}, '');
  const response = key.authenticate({ challenge: String(begun.body.challenge), origin: ORIGIN });
  beforeInsert(authSession, between);
  const refused = await passkeyCall('verify-authentication', { response }, cookieOf(begun.headers));
  expect([refused.status, cookieOf(refused.headers)]).toEqual([401, '']);
  expect(await app.deps.db.$count(authSession, eq(authSession.userId, eve.uid))).toBe(between === reset ? 0 : 1);
});
