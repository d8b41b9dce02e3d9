import { me } from '@atelier/contract/accounts';
import { sql } from 'drizzle-orm';
import { expect, test, vi } from 'vitest';
import { createLog } from '../../platform/log.ts';
import { eventually } from '../../testing/eventually.ts';
import { cookieOf, emptyApp, ORIGIN, PASSWORD, testApp } from '../../testing/harness.ts';
import { authSession, rateLimit } from './accounts.identity.table.ts';
import { profiles, usage, user } from './accounts.table.ts';

let logged = '';
const app = await emptyApp({
  log: createLog((line) => {
    logged += line;
  }),
});

const signUp = (body: unknown, headers = {}) => app.request('POST', '/api/auth/sign-up/email', { body, headers });
const signIn = (body: unknown, headers = {}) => app.request('POST', '/api/auth/sign-in/email', { body, headers });
const ada = { name: 'Ada Lovelace', email: 'ada@example.com', password: PASSWORD };

test('sign-up makes the user with its document and usage, and signs it in', async () => {
  const answer = await signUp({ ...ada, name: '  Ada Lovelace ', email: 'Ada@Example.com' });
  expect(answer.status).toBe(200);
  const cookie = cookieOf(answer.headers);
  expect(answer.headers.getSetCookie().join()).toMatch(/HttpOnly/i);
  expect(answer.headers.getSetCookie().join()).not.toMatch(/Secure/);
  const { status, body } = await app.request('GET', '/api/me', { headers: { cookie } });
  expect(status).toBe(200);
  expect(me.parse(body)).toEqual(body);
  expect(body.user).toEqual({
    uid: answer.body.user.id,
    displayName: 'Ada Lovelace',
    photoURL: null,
    email: 'ada@example.com',
    emailVerified: false,
    phoneNumber: null,
    tenantId: null,
    isAnonymous: false,
    providerData: [{ providerId: 'password', uid: 'ada@example.com' }],
    metadata: { creationTime: expect.any(String), lastSignInTime: expect.any(String) },
  });
  expect(body.user.uid).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7/);
  expect(body.account).toMatchObject({ subscriptionStatus: 'free', subscriptionTier: 'free', agentsCreated: 0 });
  expect(body.usage).toEqual({ messageCount: 0, taskCount: 0, sessionCount: 0 });
  expect(body.limits).toEqual({ messages: 10, tasks: 50, sessions: 3 });
  const session = await app.request('GET', '/api/auth/get-session', { headers: { cookie } });
  expect(Date.parse(session.body.session.expiresAt)).toBeGreaterThan(Date.now());
});

test('an email in use is refused with its code, in any case of letters', async () => {
  await signUp(ada);
  const again = await signUp({ ...ada, email: 'ADA@example.com' });
  expect(again.status).toBe(422);
  expect(again.body.code).toBe('USER_ALREADY_EXISTS_USE_ANOTHER_EMAIL');
});

test('of 20 sign-ups at once with one email exactly one succeeds, and leaves one of everything', async () => {
  const answers = await Promise.all(Array.from({ length: 20 }, () => signUp(ada)));
  expect(answers.filter((a) => a.status === 200)).toHaveLength(1);
  const refused = answers.filter((a) => a.status === 422);
  expect(refused).toHaveLength(19);
  for (const { body } of refused) expect(body.code).toBe('USER_ALREADY_EXISTS_USE_ANOTHER_EMAIL');
  for (const table of [user, profiles, usage]) expect(await app.deps.db.select().from(table)).toHaveLength(1);
});

test('a sign-up that fails half-way leaves nothing, blocks nothing and logs no secret', async () => {
  const printed = vi.spyOn(console, 'error');
  await app.deps.db.execute(sql`alter table account add constraint broken check (password is null)`);
  const failed = await signUp(ada);
  await app.deps.db.execute(sql`alter table account drop constraint broken`);
  expect(printed).not.toHaveBeenCalled();
  printed.mockRestore();
  expect(logged).toContain('broken');
  for (const secret of ['$argon2id', ada.email, ada.name]) expect(logged).not.toContain(secret);
  expect(failed.status).toBe(500);
  expect(await app.deps.db.select().from(user)).toHaveLength(0);
  expect((await signUp(ada)).status).toBe(200);
});

test('a wrong password and an unknown user get the same answer', async () => {
  await signUp(ada);
  const wrong = await signIn({ email: ada.email, password: 'not it at all' });
  const unknown = await signIn({ email: 'nobody@example.com', password: 'not it at all' });
  expect([wrong.status, wrong.body]).toEqual([unknown.status, unknown.body]);
  expect([wrong.status, wrong.body.code]).toEqual([401, 'INVALID_EMAIL_OR_PASSWORD']);
  expect((await signIn({ email: ada.email, password: PASSWORD })).status).toBe(200);
});

test('a client sets nothing but name, email and password', async () => {
  const answer = await signUp({
    ...ada,
    id: 'mine',
    role: 'admin',
    banned: true,
    emailVerified: true,
    subscriptionStatus: 'pro',
    subscriptionTier: 'pro',
    image: 'x',
    createdAt: '2001-01-01T00:00:00Z',
  });
  expect(answer.status).toBe(200);
  const [row] = await app.deps.db.select().from(user);
  expect(row).toMatchObject({ emailVerified: false, banned: false, image: null });
  expect(row?.role).not.toBe('admin');
  expect(row?.id).not.toBe('mine');
  const [profile] = await app.deps.db.select().from(profiles);
  expect(profile).toMatchObject({ subscriptionStatus: 'free', subscriptionTier: 'free' });
});

test('the provider’s other calls can’t be reached', async () => {
  const caller = await app.signUpByRequest();
  for (const path of ['delete-user', 'admin/set-role', 'admin/ban-user', 'get-access-token', 'revoke-sessions']) {
    const answer = await app.request('POST', `/api/auth/${path}`, { as: caller, body: { role: 'admin' } });
    expect(answer.status, path).toBe(404);
  }
});

test('expired, forged and missing cookies are signed out', async () => {
  const caller = await app.signUpByRequest();
  const [name = ''] = caller.cookie.split('=');
  const forged = `${name}=${encodeURIComponent(`abc.${Buffer.alloc(32).toString('base64')}`)}`;
  for (const cookie of [
    forged,
    `${name}=%00`,
    `${name}=`,
    `${name}=a.b`,
    'x=y',
    caller.cookie.replace(/^[^;]*/u, '$&x'),
  ]) {
    expect((await app.request('GET', '/api/me', { headers: { cookie } })).status, cookie).toBe(401);
  }
  expect((await app.request('GET', '/api/me')).status).toBe(401);
  await app.deps.db.update(authSession).set({ expiresAt: new Date(Date.now() - 1000) });
  expect((await app.request('GET', '/api/me', { as: caller })).status).toBe(401);
  // Another tab may have signed in meanwhile: its cookie is not to be cleared.
  const answer = await app.request('GET', '/api/auth/get-session', { as: caller });
  expect([answer.body, answer.headers.getSetCookie()]).toEqual([null, []]);
});

test('a new sign-in ends the one that its browser had, and no other', async () => {
  const first = cookieOf((await signUp(ada)).headers);
  const elsewhere = cookieOf((await signIn(ada)).headers);
  const statusOf = async (cookie: string) => (await app.request('GET', '/api/me', { headers: { cookie } })).status;
  await signIn({ ...ada, password: 'wrong' }, { cookie: first });
  expect(await statusOf(first), 'a wrong password ends nothing').toBe(200);
  const again = await signIn(ada, { cookie: first });
  await eventually(async () => expect(await statusOf(first)).toBe(401));
  expect([await statusOf(cookieOf(again.headers)), await statusOf(elsewhere)]).toEqual([200, 200]);
});

test('use prolongs a session unless its end is fixed; sign-out ends it', async () => {
  const caller = await app.signUpByRequest();
  const soon = new Date(Date.now() + 60_000);
  await app.deps.db.update(authSession).set({ expiresAt: soon });
  const answer = await app.request('GET', '/api/auth/get-session', { as: caller });
  expect(Date.parse(answer.body.session.expiresAt)).toBeGreaterThan(soon.getTime());
  await app.deps.db.update(authSession).set({ expiresAt: soon });
  const fixed = await testApp({ database: app.deps.database, env: { SESSION_FIXED: '1' } });
  const unchanged = await fixed.request('GET', '/api/auth/get-session', { as: caller });
  await fixed.close();
  expect(Date.parse(unchanged.body.session.expiresAt), 'by SESSION_FIXED').toBe(soon.getTime());
  expect((await app.request('POST', '/api/auth/sign-out', { as: caller })).status).toBe(200);
  expect((await app.request('GET', '/api/me', { as: caller })).status).toBe(401);
  expect(await app.deps.db.select().from(authSession)).toHaveLength(0);
});

test('after a sign-out the browser clears its pages, and nothing that is other accounts’ or the device’s', async () => {
  const caller = await app.signUpByRequest();
  const out = await app.request('POST', '/api/auth/sign-out', { as: caller });
  expect(out.headers.get('clear-site-data')).toBe('"prefetchCache", "prerenderCache"');
  const cleared = await app.request('POST', '/api/auth/signed-out');
  expect([cleared.status, cleared.headers.get('clear-site-data')]).toEqual([204, '"cache"']);
  const foreign = await app.request('POST', '/api/auth/signed-out', { headers: { origin: 'https://evil.example' } });
  expect([foreign.status, foreign.headers.get('clear-site-data')]).toEqual([403, null]);
});

test('a state change with a cookie needs our origin; a foreign page can’t sign anybody in', async () => {
  const caller = await app.signUpByRequest();
  const out = (origin: string) => app.request('POST', '/api/auth/sign-out', { as: caller, headers: { origin } });
  for (const origin of ['', 'https://evil.example', 'null']) expect((await out(origin)).status, origin).toBe(403);
  const bare = await app.app.request(`${ORIGIN}/api/auth/sign-out`, {
    method: 'POST',
    headers: { cookie: caller.cookie },
  });
  expect(bare.status).toBe(403);
  expect((await app.request('GET', '/api/me', { as: caller })).status).toBe(200);
  const foreign = { origin: 'https://evil.example' };
  expect((await signUp(ada, foreign)).status).toBe(403);
  expect((await signIn({ email: caller.email, password: PASSWORD }, foreign)).status).toBe(403);
});

test('hostile input gets a 4xx', async () => {
  const bodies: unknown[] = [
    '{',
    'null',
    '[]',
    '"x"',
    [ada],
    { ...ada, name: 'x'.repeat(300) },
    { ...ada, name: '   ' },
    { ...ada, name: 'a\0b' },
    { ...ada, name: ['x'] },
    { ...ada, email: `${'x'.repeat(300)}@example.com` },
    { ...ada, email: 'a\0b@example.com' },
    { ...ada, email: { $ne: '' } },
    { ...ada, email: 'no address' },
    { ...ada, password: ['abcdef'] },
    { ...ada, password: '12345' },
    { ...ada, password: 'x'.repeat(129) },
    { ...ada, password: 'x'.repeat(2_000_000) },
    { name: 'x', password: 'abcdef' },
    `${'['.repeat(8000)}`,
  ];
  for (const body of bodies) {
    const up = await signUp(body);
    expect(up.status, JSON.stringify(body).slice(0, 60)).toBeGreaterThanOrEqual(400);
    expect(up.status, JSON.stringify(body).slice(0, 60)).toBeLessThan(500);
    const inn = await signIn(body);
    expect(inn.status, JSON.stringify(body).slice(0, 60)).toBeGreaterThanOrEqual(400);
    expect(inn.status, JSON.stringify(body).slice(0, 60)).toBeLessThan(500);
  }
  expect(await app.deps.db.select().from(user)).toHaveLength(0);
});

test('names of 100 characters and passwords of any script are kept', async () => {
  const name = '🧵'.repeat(100);
  const password = 'caf\u00e9 long enough';
  expect((await signUp({ ...ada, name, password })).status).toBe(200);
  const again = await signIn({ email: ada.email, password: password.normalize('NFD') });
  expect(again.status).toBe(200);
  expect(again.body.user.name).toBe(name);
});

test('the limits in the database name no email', async () => {
  await signIn({ email: 'secret@example.com', password: 'whatever it is' });
  const rows = await app.deps.db.select().from(rateLimit);
  expect(rows.length).toBeGreaterThan(0);
  expect(JSON.stringify(rows)).not.toContain('secret@');
});

test('over https every cookie belongs to this host alone', async () => {
  const origin = 'https://atelier.example';
  const secure = await testApp({ env: { PUBLIC_URL: origin } });
  const more = { body: ada, headers: { origin } };
  const cookies = (await secure.request('POST', '/api/auth/sign-up/email', more)).headers.getSetCookie();
  const path = '/api/auth/passkey/generate-authenticate-options';
  const challenge = (await secure.request('POST', path, { body: {}, headers: { origin } })).headers.getSetCookie();
  expect([...cookies, ...challenge]).toHaveLength(3);
  for (const cookie of [...cookies, ...challenge]) {
    expect(cookie).toMatch(/^__Host-/u);
    expect(cookie).toContain('Secure');
    expect(cookie).toContain('HttpOnly');
    expect(cookie).toMatch(/Path=\/(?:;|$)/u);
    expect(cookie).not.toMatch(/Domain/iu);
  }
  const cookie = cookies.map((line) => line.split(';')[0]).join('; ');
  expect((await secure.request('GET', '/api/me', { headers: { cookie } })).status).toBe(200);
  expect((await secure.request('GET', '/api/auth/get-session', { headers: { cookie } })).body).not.toBeNull();
  const out = await secure.request('POST', '/api/auth/sign-out', { headers: { cookie, origin } });
  expect(out.headers.getSetCookie().find((line) => line.includes('session_token'))).toMatch(/^__Host-.*Max-Age=0/u);
  await secure.close();
});
