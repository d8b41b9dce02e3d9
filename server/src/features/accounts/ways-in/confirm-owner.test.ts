import { beforeEach, expect, test } from 'vitest';
import { ruledRoutes } from '../../../testing/every-route.ts';
import { cookieOf, emptyApp, ORIGIN, PASSWORD, type TestUser, testApp } from '../../../testing/harness.ts';
import { addPasskey, ageProofs, codeOf, nextCodeOf, softPasskey, turnOnTwoFactor } from '../../../testing/ways-in.ts';

// Somebody has the cookie of a sign-in, and nothing else of its owner.

let owner: TestUser;
const app = await emptyApp();
beforeEach(async () => {
  owner = await app.signUpPro();
});

const NEEDED = { code: 'confirmation_needed', message: 'Please confirm first that it is you.' };

/** What changes how one signs in or where one is, or makes what acts in one's name, with a body that is valid. */
const ASKS: Record<string, object> = {
  'POST /api/keys': { name: 'Script' },
  'POST /api/auth/keep-ways': { ids: ['01890000-0000-7000-8000-000000000001'] },
  'POST /api/auth/link-social': { provider: 'google' },
  'POST /api/auth/unlink-account': { provider: 'google' },
  'POST /api/auth/set-password': { newPassword: 'another password' },
  'POST /api/auth/two-factor/enable': {},
  'POST /api/auth/passkey/generate-register-options': {},
  'POST /api/auth/passkey/verify-registration': { name: 'Laptop', response: { id: 'x', response: {} } },
  'POST /api/auth/passkey/delete-passkey': { id: 'passkey-1' },
  'POST /api/auth/revoke-session': { token: 'session-1' },
};

/** What asks for the password or a code itself, each time; see the tests below and those of each. */
const ASKS_EACH_TIME = [
  'POST /api/auth/confirm-owner',
  'POST /api/auth/change-password',
  'POST /api/auth/change-email',
  'POST /api/auth/two-factor/disable',
  'POST /api/auth/two-factor/generate-backup-codes',
  'DELETE /api/me',
];

/** What changes no way in, or only takes one away from whoever has it. */
const FREE = [
  'POST /api/auth/update-user',
  'POST /api/auth/send-verification-email',
  'POST /api/auth/passkey/update-passkey',
  'DELETE /api/keys/:keyId',
  'PUT /api/me/photo',
  'DELETE /api/me/photo',
];

/** Content and its settings, tools and payments: nobody signs in with them. */
const OTHER_TREES =
  'agents billing explore facts favorites folders imports invitations mcp-servers memories prompts runAgentTask sandbox sessions shared shares'.split(
    ' ',
  );

/** An operator's acts, which all ask; see the test of people. */
const OPERATORS = 'admin';

const post = (path: string, body: unknown, as: TestUser = owner) =>
  app.request('POST', `/api/auth${path}`, { as, body });
const send = (call: string, as: TestUser = owner) => {
  const [method = '', path = ''] = call.split(' ');
  return app.request(method, path, { as, body: ASKS[call] });
};
const makesKey = async (as: TestUser = owner) => (await send('POST /api/keys', as)).status;
/** In another browser: the same one's sign-in would end. */
const signIn = async (email = owner.email) => {
  const body = { email, password: PASSWORD };
  return cookieOf((await app.request('POST', '/api/auth/sign-in/email', { body })).headers);
};

async function proveByPasskey(key: ReturnType<typeof softPasskey>, isVerified = true) {
  const begun = await post('/passkey/generate-authenticate-options', {});
  const response = key.authenticate({ challenge: begun.body.challenge, origin: ORIGIN }, isVerified);
  const headers = { cookie: `${owner.cookie}; ${cookieOf(begun.headers)}` };
  return app.request('POST', '/api/auth/confirm-owner', { body: { response }, headers });
}

test('every call that changes something says whether it asks for a proof', () => {
  const guarded = ruledRoutes(app.app.routes).filter(({ method, rule }) => method !== 'GET' && rule !== 'public');
  const calls = guarded
    .filter(({ path }) => path.startsWith('/api/') && ![...OTHER_TREES, OPERATORS].includes(path.split('/')[2] ?? ''))
    .map(({ method, path }) => `${method} ${path}`);
  const trees = guarded.map(({ path }) => path.split('/')[2] ?? '');
  expect(
    OTHER_TREES.filter((tree) => !trees.includes(tree)),
    'gone',
  ).toEqual([]);
  expect(calls.toSorted()).toEqual([...Object.keys(ASKS), ...ASKS_EACH_TIME, ...FREE].toSorted());
});

test.each(Object.keys(ASKS))('%s asks for a proof, which the sign-in itself is for five minutes', async (call) => {
  expect((await send(call)).body?.error?.code).not.toBe(NEEDED.code);
  await ageProofs(app);
  const refused = await send(call);
  expect([refused.status, refused.body.error]).toEqual([403, NEEDED]);
  expect((await post('/confirm-owner', { password: PASSWORD })).body).toEqual({ status: true });
  expect((await send(call)).body?.error?.code).not.toBe(NEEDED.code);
});

test('a proof is of one sign-in, in every server process, for five minutes, and ends with a new password', async () => {
  const elsewhere = { ...owner, cookie: await signIn() };
  await ageProofs(app);
  expect((await post('/confirm-owner', { password: PASSWORD })).status).toBe(200);
  expect([await makesKey(), await makesKey(elsewhere)]).toEqual([201, 403]);
  const process = await testApp({ database: app.deps.database });
  const there = await process.request('POST', '/api/keys', { as: owner, body: { name: 'Script' } });
  expect(there.status, 'another process').toBe(201);
  await process.close();
  await ageProofs(app);
  expect(await makesKey(), 'five minutes later').toBe(403);
  await post('/confirm-owner', { password: PASSWORD });
  const change = { currentPassword: PASSWORD, newPassword: 'a better password' };
  expect((await post('/change-password', change)).status).toBe(200);
  expect(await makesKey()).toBe(403);
});

test('a proof is one thing, and an API key never is one', async () => {
  const { key } = (await send('POST /api/keys')).body;
  const headers = { authorization: `Bearer ${key.secret}` };
  for (const call of ['POST /api/keys', 'POST /api/auth/confirm-owner']) {
    const [method = '', path = ''] = call.split(' ');
    const body = ASKS[call] ?? { password: PASSWORD };
    expect((await app.request(method, path, { headers, body })).status, call).toBe(403);
  }
  const nobody = await app.request('POST', '/api/auth/confirm-owner', { body: { password: PASSWORD } });
  expect(nobody.status).toBe(401);
  for (const body of [{}, { password: '' }, { password: PASSWORD, code: '123456' }, { code: {} }, { response: 'x' }]) {
    expect((await post('/confirm-owner', body)).status, JSON.stringify(body)).toBe(400);
  }
  expect((await post('/confirm-owner', { code: '123456' })).status, 'no second factor').toBe(409);
});

test('a passkey of one’s own proves it, if it has checked its person, and signs nobody in', async () => {
  const key = await addPasskey(app, owner);
  const other = await app.signUpByRequest();
  const others = await addPasskey(app, other);
  await ageProofs(app);
  expect((await proveByPasskey(key, false)).status, 'somebody was there').toBe(403);
  expect((await proveByPasskey(others)).status, 'another’s').toBe(403);
  expect((await proveByPasskey(softPasskey())).status, 'nobody’s').toBe(403);
  expect(await makesKey()).toBe(403);
  const proved = await proveByPasskey(key);
  expect([proved.status, proved.headers.getSetCookie()]).toEqual([200, []]);
  expect(await makesKey()).toBe(201);
  expect((await app.request('GET', '/api/auth/list-sessions', { as: owner })).body).toHaveLength(1);
});

test('a code proves it once, and so does a recovery code', async () => {
  const { secret, usedCode, backupCodes } = await turnOnTwoFactor(app, owner);
  await ageProofs(app);
  const used = await post('/confirm-owner', { code: usedCode });
  expect([used.status, used.body.error]).toEqual([
    403,
    { code: 'forbidden', message: 'This code has been used. Please wait for the next one.', field: 'code' },
  ]);
  expect(await makesKey()).toBe(403);
  const next = { code: nextCodeOf(secret) };
  const both = await Promise.all([post('/confirm-owner', next), post('/confirm-owner', next)]);
  expect(both.map(({ status }) => status).toSorted()).toEqual([200, 403]);
  expect(await makesKey()).toBe(201);
  await ageProofs(app);
  expect((await post('/confirm-owner', { code: backupCodes[0] })).status).toBe(200);
  expect((await post('/confirm-owner', { code: backupCodes[0] })).status).toBe(403);
});

test('without the factor nobody turns it off or makes recovery codes, whatever else they prove', async () => {
  const { usedCode, backupCodes } = await turnOnTwoFactor(app, owner);
  for (const path of ['/two-factor/disable', '/two-factor/generate-backup-codes']) {
    expect((await post(path, { password: PASSWORD })).status, path).toBe(400);
    expect((await post(path, { password: PASSWORD, code: '000000' })).status, path).toBe(403);
    expect((await post(path, { code: usedCode })).status, 'used').toBe(403);
  }
  const again = await post('/two-factor/enable', { password: PASSWORD });
  expect(again.status, 'a second one in its place').toBe(400);
  await ageProofs(app);
  const renewed = await post('/two-factor/generate-backup-codes', { code: backupCodes[0] });
  expect(renewed.status).toBe(200);
  expect(await makesKey(), 'the code is a proof').toBe(201);
  expect((await post('/two-factor/disable', { code: renewed.body.backupCodes[0] })).status).toBe(200);
  expect((await app.request('GET', '/api/me', { as: owner })).body.security.twoFactor).toBe(false);
});

test('wrong tries of every kind count together, and beside them those for the codes of a sign-in', async () => {
  const { secret } = await turnOnTwoFactor(app, owner);
  const wrong = String((Number(codeOf(secret)) + 500_000) % 1_000_000).padStart(6, '0');
  const statuses: number[] = [];
  for (let i = 0; i < 3; i += 1) {
    statuses.push((await post('/confirm-owner', { password: 'wrong' })).status);
    statuses.push((await post('/confirm-owner', { code: wrong })).status);
    statuses.push((await proveByPasskey(softPasskey())).status);
    statuses.push((await post('/two-factor/verify-totp', { code: wrong })).status);
  }
  expect(statuses).toEqual([403, 403, 403, 401, 403, 403, 403, 401, 403, 403, 429, 429]);
  const right = await post('/confirm-owner', { password: PASSWORD });
  expect([right.status, Number(right.headers.get('retry-after')) > 60]).toEqual([429, true]);
});

test('a sign-in of long ago adds a passkey after a proof', async () => {
  await app.deps.db.execute(`update "session" set created_at = now() - interval '3 days'`);
  await addPasskey(app, owner);
});
