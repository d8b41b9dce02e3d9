import { createServer } from 'node:http';
import { eq } from 'drizzle-orm';
import { beforeEach, expect, test } from 'vitest';
import { type Config, readConfig } from '../../../config.ts';
import { createLog } from '../../../platform/log.ts';
import { cookieJar } from '../../../testing/cookie-jar.ts';
import { eventually } from '../../../testing/eventually.ts';
import { mailsTo, startFakeSmtp } from '../../../testing/fake-smtp.ts';
import { cookieOf, emptyApp, ORIGIN, PASSWORD, type TestUser, testApp } from '../../../testing/harness.ts';
import { closing } from '../../../testing/lifetimes.ts';
import { listen } from '../../../testing/listen.ts';
import { signInAt } from '../../../testing/mcp/oauth-server.ts';
import { pictureOf } from '../../../testing/pictures.ts';
import { startGithub, startGoogle } from '../../../testing/sign-in-providers.ts';
import { ageProofs, codeOf, nextCodeOf } from '../../../testing/ways-in.ts';
import { authAccount, verification } from '../accounts.identity.table.ts';
import { accountMails } from '../accounts.mail.table.ts';
import { user } from '../accounts.table.ts';
import { signInProbes } from './probe-sign-in.service.ts';

const lines: { event: string }[] = [];
const BACK = `${ORIGIN}/api/auth/callback`;

const pictures = createServer((_request, response) =>
  response.writeHead(200, { 'content-type': 'image/png' }).end(pictureOf('png', 96, 96)),
);
const [{ origin }, smtp, google, github] = await Promise.all([
  closing(listen(pictures)),
  closing(startFakeSmtp()),
  closing(startGoogle(`${BACK}/google`)),
  closing(startGithub(`${BACK}/github`)),
]);
const pictureUrl = `${origin}/me.png`;
const app = await emptyApp({
  log: createLog((line) => void lines.push(JSON.parse(line))),
  env: {
    ...google.env,
    ...github.env,
    PUBLIC_URL: ORIGIN,
    FETCH_ALLOWED: '127.0.0.1',
    SMTP_URL: smtp.url,
    MAIL_TO: 'desk@example.com',
  },
});
beforeEach(() => {
  lines.length = 0;
  smtp.reset();
  google.people.clear();
});

const browser = (cookies = '') => cookieJar(app, cookies);
type Browser = ReturnType<typeof browser>;

const pathOf = (url: string) => url.slice(ORIGIN.length);

/** Begins at a call of ours, logs in at the provider, and comes back. Returns where the browser ends. */
async function goTo(at: Browser, begun: { status: number; body: { url: string } }, as = 'ada'): Promise<string> {
  expect(begun.status).toBe(200);
  const isGoogle = begun.body.url.startsWith(google.url);
  const back = isGoogle
    ? await signInAt(begun.body.url, `${BACK}/google`, as)
    : ((await fetch(begun.body.url, { redirect: 'manual' })).headers.get('location') ?? '');
  const answer = await at.request('GET', pathOf(back));
  expect(answer.status).toBe(302);
  return answer.headers.get('location') ?? '';
}
const enter = async (at: Browser, provider: string, as = 'ada', from?: string) =>
  goTo(at, await at.request('POST', '/api/auth/sign-in/social', { provider, from }), as);
const link = (at: Browser, more: object = { password: PASSWORD }) =>
  at.request('POST', '/api/auth/link-social', { provider: 'google', ...more });
const unlink = (at: Browser) => at.request('POST', '/api/auth/unlink-account', { provider: 'google' });

const ada = (email: string, more: object = {}) =>
  google.people.set('ada', { email, email_verified: true, name: 'Ada Lovelace', picture: pictureUrl, ...more });
const octo = (email: string, verified = true) =>
  github.become({
    id: 583_231,
    login: 'octocat',
    name: null,
    avatar_url: pictureUrl,
    emails: [
      { email: 'other@example.com', primary: false, verified: true },
      { email, primary: true, verified },
    ],
  });
const allSent = () => eventually(async () => expect(await app.deps.db.$count(accountMails)).toBe(0));
const subjects = async (email: string) => (await allSent(), mailsTo(smtp, email).map(({ subject }) => subject));

test('a provider that doesn’t know the client, or refuses a code, is logged by name with its answer', async () => {
  const wrong = readConfig({ ...google.env, GOOGLE_CLIENT_SECRET: 'another', PUBLIC_URL: ORIGIN });
  const tried = (config: Config) => signInProbes(config).map(({ probe }) => probe());
  await expect(Promise.all(tried(app.deps.config))).resolves.toEqual(['knows the client', 'knows the client']);
  await expect(Promise.all(tried(wrong))).rejects.toThrow('answered 401: invalid_client');
  ada('ada@example.com');
  const at = browser();
  const begun = await at.request('POST', '/api/auth/sign-in/social', { provider: 'google' });
  const back = new URL(await signInAt(begun.body.url, `${BACK}/google`, 'ada'));
  back.searchParams.set('code', 'another');
  await at.request('GET', pathOf(back.href));
  expect(lines.filter(({ event }) => event.startsWith('identity.'))).toMatchObject([
    { event: 'identity.failed', provider: 'google', error: expect.stringContaining('status=400 error=invalid_grant') },
    { event: 'identity.not_signed_in', provider: 'google', reason: 'invalid_code' },
  ]);
});

test('Google opens an account with name, confirmed email and photo, and signs in to it again', async () => {
  ada('Ada@Example.com');
  const first = browser();
  expect(await enter(first, 'google', 'ada', '/memory?q=1')).toBe('/memory?q=1');
  const { user: me } = await first.me();
  expect(me).toMatchObject({ displayName: 'Ada Lovelace', email: 'ada@example.com', emailVerified: true });
  expect(me.providerData).toEqual([{ providerId: 'google', uid: 'ada' }]);
  await eventually(async () => expect((await first.me()).user.photoURL).toMatch(/^\/api\/me\/photo\//u));
  const [row] = await app.deps.db.select().from(authAccount);
  expect([row?.accessToken, row?.refreshToken, row?.idToken]).toEqual([null, null, null]);
  expect(await subjects('ada@example.com'), 'neither a confirmation nor a new device').toEqual([]);

  const second = browser();
  expect(await enter(second, 'google')).toBe('/runtime');
  expect((await second.me()).user.uid).toBe(me.uid);
  expect(await subjects('ada@example.com')).toEqual(['Atelier: a new device signed in']);
  expect(await enter(second, 'google')).toBe('/runtime');
  expect(await subjects('ada@example.com'), 'the device is known now').toHaveLength(1);
  expect(await app.deps.db.$count(user)).toBe(1);
});

test('GitHub does, with the primary email; one that it has not confirmed is asked about by mail', async () => {
  octo('octo@example.com', false);
  const at = browser();
  expect(await enter(at, 'github')).toBe('/runtime');
  const { user: me } = await at.me();
  expect(me).toMatchObject({ displayName: 'octocat', email: 'octo@example.com', emailVerified: false });
  expect(await subjects('octo@example.com')).toEqual(['Atelier: confirm your email']);
});

test('a name from there is cleaned, and the next one counts where it can’t be a username', async () => {
  const nameAt = async (enter_: (at: Browser) => Promise<string>) => {
    const at = browser();
    expect(await enter_(at)).toBe('/runtime');
    return (await at.me()).user.displayName;
  };
  const byGoogle = (email: string, name: string) => {
    ada(email, { name });
    google.people.set(email, google.people.get('ada') ?? {});
    return nameAt((at) => enter(at, 'google', email));
  };
  expect(await byGoogle('one@example.com', `A\u202Eda\u200B${'\u0301'.repeat(99)}`)).toBe(
    'Ada\u0301\u0301\u0301\u0301',
  );
  expect(await byGoogle('two@example.com', '\u3164')).toBe('two');
  expect(await byGoogle('three@example.com', 'Аtelier')).toBe('three');
  expect(await byGoogle('atelier@example.com', 'Atelier')).toBe('Somebody');
  octo('octo@example.com');
  expect(await nameAt((at) => enter(at, 'github'))).toBe('octocat');
});

test('an account with the same email is not linked by itself, also a confirmed one; its owner links and unlinks it', async () => {
  const owner = await app.signUpByRequest();
  await app.deps.db.update(user).set({ emailVerified: true });
  ada(owner.email);
  const stranger = browser();
  expect(await enter(stranger, 'google')).toMatch(/^\/login\?error=account_not_linked/u);
  expect((await stranger.request('GET', '/api/me')).status).toBe(401);
  const at = browser(owner.cookie);
  await ageProofs(app);
  expect((await link(at, {})).status, 'asks who it is').toBe(403);
  expect((await link(at, { password: 'wrong' })).status).toBe(403);
  expect(await goTo(at, await link(at))).toBe('/account?linked=google');
  expect((await at.me()).user).toMatchObject({ uid: owner.uid, displayName: 'Ada' });
  expect((await link(at)).status, 'twice').toBe(409);
  expect(await enter(stranger, 'google')).toBe('/runtime');
  expect((await stranger.me()).user.uid).toBe(owner.uid);
  const [one, two] = await Promise.all([unlink(at), unlink(at)]);
  expect([one.status, two.status].toSorted(), 'at once').toEqual([200, 404]);
  expect(await subjects(owner.email)).toEqual(
    expect.arrayContaining(['Atelier: a new way to sign in', 'Atelier: a way to sign in was removed']),
  );
});

test('somebody else’s account there can’t be linked to a second account here', async () => {
  ada('ada@example.com');
  await enter(browser(), 'google');
  const owner = await app.signUpByRequest();
  const at = browser(owner.cookie);
  expect(await goTo(at, await link(at))).toMatch(/^\/account\?error=account_already_linked_to_different_user/u);
});

test('the last way in stays; a first password asks for a fresh sign-in and makes it removable; the account ends by one too', async () => {
  ada('ada@example.com');
  const at = browser();
  await enter(at, 'google');
  const refused = await unlink(at);
  expect([refused.status, refused.body.error.message]).toEqual([
    409,
    'This is your only way to sign in. Set a password or add another way first.',
  ]);
  await ageProofs(app);
  const email = { newEmail: 'lovelace@example.com' };
  expect((await at.request('POST', '/api/auth/set-password', { newPassword: PASSWORD })).status).toBe(403);
  expect((await at.request('POST', '/api/auth/change-email', email)).status).toBe(403);
  expect((await at.request('DELETE', '/api/me', {})).body.error.code).toBe('confirmation_needed');
  await enter(at, 'google');
  expect((await at.request('POST', '/api/auth/change-email', email)).status).toBe(200);
  expect((await at.request('POST', '/api/auth/set-password', { newPassword: 'x' })).status).toBe(400);
  expect((await at.request('POST', '/api/auth/set-password', { newPassword: PASSWORD })).status).toBe(200);
  expect((await at.request('POST', '/api/auth/set-password', { newPassword: PASSWORD })).status).toBe(409);
  expect((await unlink(at)).status).toBe(200);
  const words = { email: 'ada@example.com', password: PASSWORD };
  expect((await at.request('POST', '/api/auth/sign-in/email', words)).status).toBe(200);
  expect((await at.request('DELETE', '/api/me', {})).status, 'the password, now that there is one').toBe(400);
  expect((await at.request('DELETE', '/api/me', { password: PASSWORD })).status).toBe(200);
});

test('a sign-in there proves nothing where a password, a passkey or a factor can: it goes back to the page', async () => {
  const owner = await app.signUpByRequest();
  const at = browser(owner.cookie);
  ada(owner.email);
  await goTo(at, await link(at));
  expect(await enter(at, 'google', 'ada', '/account')).toBe('/account');
  expect((await unlink(at)).body.error.code).toBe('confirmation_needed');
  github.become(null);
  expect(await enter(at, 'github', 'ada', '/account')).toMatch(/^\/account\?error=access_denied/u);
  expect((await at.request('POST', '/api/auth/confirm-owner', { password: PASSWORD })).status).toBe(200);
  expect((await unlink(at)).status).toBe(200);
});

test('the second factor is asked for on this way too, and a disabled account stays out', async () => {
  const owner: TestUser = await app.signUpByRequest();
  const at = browser(owner.cookie);
  ada(owner.email);
  await goTo(at, await link(at));
  const { totpURI } = (await at.request('POST', '/api/auth/two-factor/enable', { password: PASSWORD })).body;
  const secret = new URL(totpURI).searchParams.get('secret') ?? '';
  const setUp = { code: codeOf(secret) };
  expect((await at.request('POST', '/api/auth/two-factor/verify-totp', setUp)).status).toBe(200);

  const elsewhere = browser();
  expect(await enter(elsewhere, 'google', 'ada', '/explore')).toBe('/login?step=code&from=%2Fexplore');
  expect((await elsewhere.request('GET', '/api/me')).status).toBe(401);
  expect((await subjects(owner.email)).filter((subject) => subject.includes('device'))).toEqual([]);
  const next = { code: nextCodeOf(secret) };
  expect((await elsewhere.request('POST', '/api/auth/two-factor/verify-totp', next)).status).toBe(200);
  expect((await elsewhere.me()).user.uid).toBe(owner.uid);
  expect((await subjects(owner.email)).filter((subject) => subject.includes('device'))).toHaveLength(1);

  await app.deps.db.update(user).set({ banned: true }).where(eq(user.id, owner.uid));
  const banned = browser();
  expect(await enter(banned, 'google')).toMatch(/^\/login\?error=BANNED_USER/u);
  expect((await banned.request('GET', '/api/me')).status).toBe(401);
});

test('what doesn’t fit ends on the login page: no state, another browser’s, a refusal, no email', async () => {
  ada('ada@example.com');
  const at = browser();
  const stateless = await at.request('GET', '/api/auth/callback/google');
  expect(stateless.headers.get('location')).toMatch(/^\/login\?error=state_not_found/u);
  expect((await at.request('GET', '/api/auth/callback/nobody')).status).toBe(404);
  const begun = await at.request('POST', '/api/auth/sign-in/social', { provider: 'google' });
  const back = pathOf(await signInAt(begun.body.url, `${BACK}/google`));
  const others = await browser().request('GET', back);
  expect(others.headers.get('location')).toMatch(/^\/login\?error=state_mismatch/u);
  expect(cookieOf(others.headers)).not.toContain('session_token=');
  github.become(null);
  expect(await enter(browser(), 'github')).toMatch(/^\/login\?error=access_denied/u);
  github.become({ id: 1, login: 'ghost', name: null, avatar_url: '', emails: [] });
  expect(await enter(browser(), 'github')).toMatch(/^\/login\?error=email_not_found/u);
  expect(await app.deps.db.$count(user)).toBe(0);
  for (const body of [{}, { provider: 'nobody' }, { provider: 'constructor' }, { provider: ['google'] }]) {
    expect((await at.request('POST', '/api/auth/sign-in/social', body)).status).toBe(400);
  }
  for (const from of ['https://evil.example', '//evil.example', '/\\evil.example', 5]) {
    const answer = await at.request('POST', '/api/auth/sign-in/social', { provider: 'github', from });
    octo('octo@example.com');
    expect(await goTo(at, answer)).toBe('/runtime');
  }
  expect(await app.deps.db.$count(verification), 'used up').toBeLessThan(5);
});

test('who comes back too often ends there too', async () => {
  const busy = await testApp({ env: { ...google.env, PUBLIC_URL: ORIGIN, AUTH_RATE_MAX: '1' } });
  const comeBack = () => busy.request('GET', '/api/auth/callback/google');
  await comeBack();
  expect((await comeBack()).headers.get('location')).toBe('/login?error=TOO_MANY_REQUESTS');
  await busy.close();
});

test('without a client there is no such way in, and no button', async () => {
  const plain = await testApp();
  expect((await plain.request('GET', '/api/auth/providers')).body).toEqual({ providers: [] });
  expect((await app.request('GET', '/api/auth/providers')).body).toEqual({ providers: ['google', 'github'] });
  const answer = await plain.request('POST', '/api/auth/sign-in/social', { body: { provider: 'google' } });
  expect(answer.status).toBe(404);
  await plain.close();
});
