import { createServer } from 'node:http';
import { beforeEach, expect, test } from 'vitest';
import { readConfig } from '../../../config.ts';
import { cookieJar } from '../../../testing/cookie-jar.ts';
import { emptyApp, ORIGIN, PASSWORD, testApp } from '../../../testing/harness.ts';
import { closing } from '../../../testing/lifetimes.ts';
import { listen } from '../../../testing/listen.ts';
import { signInAt } from '../../../testing/mcp/oauth-server.ts';
import { startGoogle, startOpenId } from '../../../testing/sign-in-providers.ts';
import { ageProofs } from '../../../testing/ways-in.ts';
import { runAdminCommand } from '../../operator/operator.service.ts';
import { authAccount, passkeys } from '../accounts.identity.table.ts';
import { user } from '../accounts.table.ts';
import { issueToken } from '../accounts.tokens.service.ts';
import { signInProbes } from './probe-sign-in.service.ts';

const BACK = `${ORIGIN}/api/auth/callback`;

const [school, google] = await Promise.all([
  closing(startOpenId(`${BACK}/oidc`)),
  closing(startGoogle(`${BACK}/google`)),
]);
const app = await emptyApp({ env: { ...school.env, ...google.env, PUBLIC_URL: ORIGIN } });
beforeEach(() => {
  school.people.clear();
  school.disabled.clear();
  school.people.set('ada', { email: 'Ada@School.example', email_verified: true, name: 'Ada Lovelace' });
});

const browser = (cookies = '') => cookieJar(app, cookies);
type Browser = ReturnType<typeof browser>;
const pathOf = (url: string) => url.slice(ORIGIN.length);

async function begin(at: Browser, provider: string): Promise<URL> {
  const begun = await at.request('POST', '/api/auth/sign-in/social', { provider });
  expect(begun.status).toBe(200);
  return new URL(begun.body.url);
}
/** Begins to sign in; returns the address to which the provider sends the browser back. */
const comeBackFrom = async (at: Browser, provider = 'oidc', as = 'ada') =>
  new URL(await signInAt((await begin(at, provider)).href, `${BACK}/${provider}`, as));
async function arrive(at: Browser, back: URL): Promise<string> {
  const answer = await at.request('GET', pathOf(back.href));
  expect(answer.status).toBe(302);
  return answer.headers.get('location') ?? '';
}
const enter = async (at: Browser, as = 'ada') => arrive(at, await comeBackFrom(at, 'oidc', as));

test('the first sign-in opens an account, the next ones lead back to it, and it is known by its provider and id', async () => {
  expect((await app.request('GET', '/api/auth/providers')).body).toEqual({
    providers: ['oidc', 'google'],
    openIdName: 'Example School',
  });
  const first = browser();
  expect(await enter(first)).toBe('/runtime');
  const { user: me } = await first.me();
  expect(me).toMatchObject({ displayName: 'Ada Lovelace', email: 'ada@school.example', emailVerified: true });
  expect(me.providerData).toEqual([{ providerId: 'oidc', uid: `${school.issuer} ada` }]);
  const [row] = await app.deps.db.select().from(authAccount);
  expect([row?.accessToken, row?.refreshToken, row?.idToken]).toEqual([null, null, null]);
  // Her email there may change; she stays the same person.
  school.people.set('ada', { email: 'lovelace@school.example', email_verified: true, name: 'Ada' });
  const again = browser();
  expect(await enter(again)).toBe('/runtime');
  expect((await again.me()).user).toMatchObject({ uid: me.uid, email: 'ada@school.example' });
  expect(await app.deps.db.$count(user)).toBe(1);
});

test('somebody who is disabled there doesn’t come in any more', async () => {
  expect(await enter(browser())).toBe('/runtime');
  school.disabled.add('ada');
  const at = browser();
  expect(await enter(at)).toMatch(/^\/login\?error=invalid_code/u);
  expect((await at.request('GET', '/api/me')).status).toBe(401);
});

test('an account with that email is never linked by itself, verified there or not; its owner links it', async () => {
  const owner = await app.signUpByRequest();
  await app.deps.db.update(user).set({ emailVerified: true });
  for (const email_verified of [false, true]) {
    school.people.set('ada', { email: owner.email, email_verified });
    const stranger = browser();
    expect(await enter(stranger)).toMatch(/^\/login\?error=account_not_linked/u);
    expect((await stranger.request('GET', '/api/me')).status).toBe(401);
  }
  const at = browser(owner.cookie);
  const begun = await at.request('POST', '/api/auth/link-social', { provider: 'oidc', password: PASSWORD });
  const back = await signInAt(begun.body.url, `${BACK}/oidc`);
  expect(await arrive(at, new URL(back))).toBe('/account?linked=oidc');
  const elsewhere = browser();
  expect(await enter(elsewhere)).toBe('/runtime');
  expect((await elsewhere.me()).user.uid).toBe(owner.uid);
  const unlink = await at.request('POST', '/api/auth/unlink-account', { provider: 'oidc' });
  expect(unlink.status).toBe(200);
});

test('an email that the provider hasn’t verified, or says nothing of, isn’t confirmed here', async () => {
  for (const [as, more] of [
    ['bob', { email_verified: false }],
    ['cyd', {}],
    ['dan', { email_verified: 'yes' }],
  ] as const) {
    school.people.set(as, { email: `${as}@school.example`, ...more });
    const at = browser();
    expect(await enter(at, as)).toBe('/runtime');
    expect((await at.me()).user).toMatchObject({ emailVerified: false, displayName: as });
  }
});

test('such an email is confirmed by whoever is signed in to the account, who still comes in by the provider', async () => {
  school.people.set('bob', { email: 'bob@school.example' });
  google.people.set('bob', { email: 'bob@example.com', email_verified: true });
  const at = browser();
  await enter(at, 'bob');
  const begun = await at.request('POST', '/api/auth/link-social', { provider: 'google' });
  const back = await signInAt(begun.body.url, `${BACK}/google`, 'bob');
  expect(await arrive(at, new URL(back))).toBe('/account?linked=google');
  const phone = browser();
  await enter(phone, 'bob');
  const { uid: userId, email } = (await at.me()).user;
  const token = await issueToken(app.deps.db, { userId, purpose: 'verify', email });
  const confirm = (by: Browser) => by.request('POST', '/api/auth/verify-email', { token });
  const stranger = await app.signUp();
  for (const by of [browser(), browser(stranger.cookie)]) {
    const refused = await confirm(by);
    const sentence = 'Log in to this account first, then open the link again.';
    expect([refused.status, refused.body.error.message]).toEqual([403, sentence]);
  }
  const { user: before } = await at.me();
  expect([before.emailVerified, (await confirm(at)).body]).toEqual([
    false,
    { status: true, email, changed: false, suspended: 1 },
  ]);
  expect((await at.me()).user).toMatchObject({ emailVerified: true, providerData: [{ providerId: 'oidc' }] });
  expect((await phone.request('GET', '/api/me')).status, 'may have added the other one').toBe(401);
  expect(await enter(phone, 'bob')).toBe('/runtime');
});

test('an operator who confirms it leaves its owner the way in', async () => {
  school.people.set('bob', { email: 'bob@school.example' });
  await enter(browser(), 'bob');
  expect((await runAdminCommand(app.deps, ['confirm-email', 'bob@school.example'])).ok).toBe(true);
  const again = browser();
  expect(await enter(again, 'bob')).toBe('/runtime');
  expect((await again.me()).user.emailVerified).toBe(true);
});

test('the same id at another provider is somebody else', async () => {
  const other = await app.signUpByRequest();
  await app.deps.db
    .insert(authAccount)
    .values([{ id: 'one', userId: other.uid, providerId: 'oidc', accountId: 'https://another.example ada' }]);
  const at = browser();
  expect(await enter(at)).toBe('/runtime');
  expect((await at.me()).user.uid).not.toBe(other.uid);
});

test('a state works once, and in the browser where it began', async () => {
  const at = browser();
  const begun = await at.request('POST', '/api/auth/sign-in/social', { provider: 'oidc' });
  const cookies = begun.headers.getSetCookie().map((line) => line.split(';', 1)[0] ?? '');
  const back = new URL(await signInAt(begun.body.url, `${BACK}/oidc`));
  expect(await arrive(browser(), back)).toMatch(/^\/login\?error=state_mismatch/u);
  expect(await arrive(at, back)).toBe('/runtime');
  // The very same request again.
  school.asked.length = 0;
  expect(await arrive(browser(cookies.join('; ')), back)).toMatch(/^\/login\?error=state_mismatch/u);
  expect(school.asked).toEqual([]);
});

test('an answer of another provider is refused: by its name, without one, and by where the sign-in began', async () => {
  google.people.set('eve', { email: 'eve@example.com', email_verified: true, name: 'Eve' });
  const at = browser();
  const own = await comeBackFrom(at);
  const wrong = new URL(own);
  wrong.searchParams.set('iss', google.url);
  expect(await arrive(at, wrong)).toBe('/login?error=issuer_mismatch');
  wrong.searchParams.delete('iss');
  expect(await arrive(at, wrong)).toBe('/login?error=issuer_mismatch');
  expect(await arrive(at, own), 'the honest answer still counts').toBe('/runtime');

  // A sign-in that began at one provider comes back with the code of the other one.
  const mixed = browser();
  const ofGoogle = await comeBackFrom(mixed, 'google', 'eve');
  const ofSchool = await comeBackFrom(mixed);
  ofGoogle.searchParams.set('state', ofSchool.searchParams.get('state') ?? '');
  google.asked.length = 0;
  expect(await arrive(mixed, ofGoogle)).toMatch(/^\/login\?error=invalid_code/u);
  expect(google.asked, 'nobody is sent the code').not.toContain('/token');
  expect((await mixed.request('GET', '/api/me')).status).toBe(401);
  expect(await app.deps.db.$count(user)).toBe(1);
});

/** A server that describes itself as it likes. */
async function describes(metadata: (origin: string) => Promise<object>) {
  const http = createServer(async (_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(await metadata(origin)));
  });
  const { origin, close } = await listen(http);
  return { origin, close };
}
const describedBySchool = async () => {
  const answer = await fetch(`${school.issuer}/.well-known/openid-configuration`);
  return (await answer.json()) as Record<string, unknown>;
};
const withIssuer = (issuer: string) => testApp({ env: { ...school.env, OIDC_ISSUER: issuer, PUBLIC_URL: ORIGIN } });

test('a provider that calls itself otherwise than it was asked, or asks for secrets unencrypted, isn’t gone to', async () => {
  const plainly = (origin: string, description: object) => ({
    ...description,
    issuer: origin,
    token_endpoint: 'http://example.com/token',
  });
  for (const forged of [
    await describes(describedBySchool),
    await describes(async (origin) => plainly(origin, await describedBySchool())),
  ]) {
    const victim = await withIssuer(forged.origin);
    const begun = await victim.request('POST', '/api/auth/sign-in/social', { body: { provider: 'oidc' } });
    expect([begun.status, begun.body.error.message]).toEqual([
      503,
      'The sign-in there can’t be reached right now. Please try again later.',
    ]);
    await victim.close();
    await forged.close();
  }
});

test('a token of another issuer signs nobody in', async () => {
  const forged = await describes(async (origin) => ({
    ...(await describedBySchool()),
    issuer: origin,
    authorization_response_iss_parameter_supported: false,
  }));
  const victim = await withIssuer(forged.origin);
  const at = cookieJar(victim);
  const begun = await at.request('POST', '/api/auth/sign-in/social', { provider: 'oidc' });
  const back = new URL(await signInAt(begun.body.url, `${BACK}/oidc`));
  back.searchParams.delete('iss');
  const answer = await at.request('GET', pathOf(back.href));
  expect(answer.headers.get('location')).toMatch(/^\/login\?error=unable_to_get_user_info/u);
  expect(await victim.deps.db.$count(user)).toBe(0);
  await victim.close();
  await forged.close();
});

test('a token of another sign-in signs nobody in', async () => {
  const at = browser();
  const url = await begin(at, 'oidc');
  expect(url.searchParams.get('nonce')).toMatch(/./u);
  url.searchParams.set('nonce', 'of another sign-in');
  const back = new URL(await signInAt(url.href, `${BACK}/oidc`));
  expect(await arrive(at, back)).toMatch(/^\/login\?error=unable_to_get_user_info/u);
  expect(await app.deps.db.$count(user)).toBe(0);
});

test('without passwords a lost passkey is the operator’s to remove; then a sign-in there is a proof again', async () => {
  const without = await testApp({ env: { ...school.env, PUBLIC_URL: ORIGIN, PASSWORDS_OFF: '1' } });
  const at = cookieJar(without);
  const signIn = async () => {
    const begun = await at.request('POST', '/api/auth/sign-in/social', { provider: 'oidc' });
    return at.request('GET', pathOf(await signInAt(begun.body.url, `${BACK}/oidc`)));
  };
  const change = () => at.request('POST', '/api/auth/passkey/generate-register-options', {});
  await signIn();
  const { uid: userId } = (await at.me()).user;
  const lost = { id: 'lost', userId, publicKey: '', credentialID: 'lost', counter: 0, deviceType: '', backedUp: false };
  await without.deps.db.insert(passkeys).values(lost);
  await ageProofs(without);
  await signIn();
  expect((await change()).body.error.code).toBe('confirmation_needed');
  const removal = await runAdminCommand(without.deps, ['remove-passkeys', 'ada@school.example', '--reason', 'lost']);
  expect([removal.ok, (await at.request('GET', '/api/me')).status]).toEqual([true, 401]);
  await signIn();
  expect((await change()).status).toBe(200);
  await without.close();
});

test('without passwords nobody signs up, in, or gets a link by one, and the pages know', async () => {
  const settings = { ...school.env, PUBLIC_URL: ORIGIN };
  const { OIDC_CLIENT_SECRET: _, ...half } = settings;
  expect(() => readConfig({ PASSWORDS_OFF: '1' })).toThrow('without passwords people need another way in');
  expect(() => readConfig(half)).toThrow('both, the id and the secret');
  expect(() => readConfig({ ...settings, OIDC_ISSUER: 'http://id.example' })).toThrow('use https');
  expect(() => readConfig({ ...settings, OIDC_ISSUER: '' })).toThrow('needs the issuer');
  const without = await testApp({ env: { ...settings, PASSWORDS_OFF: '1' } });
  const at = cookieJar(without);
  expect((await at.request('GET', '/api/auth/providers')).body).toMatchObject({ passwords: false });
  const email = 'ada@example.com';
  for (const [path, body] of [
    ['sign-up/email', { name: 'Ada', email, password: PASSWORD }],
    ['sign-in/email', { email, password: PASSWORD }],
    ['request-password-reset', { email }],
    ['reset-password', { token: 'x'.repeat(43), newPassword: PASSWORD }],
  ] as const) {
    expect((await at.request('POST', `/api/auth/${path}`, body)).status, path).toBe(403);
  }
  const begun = await at.request('POST', '/api/auth/sign-in/social', { provider: 'oidc' });
  const back = await signInAt(begun.body.url, `${BACK}/oidc`);
  expect((await at.request('GET', pathOf(back))).headers.get('location')).toBe('/runtime');
  expect((await at.request('POST', '/api/auth/set-password', { newPassword: PASSWORD })).status).toBe(403);
  const { message } = await runAdminCommand(without.deps, ['reset-link', 'ada@school.example']);
  expect(message).toContain('Nobody signs in with a password here.');
  expect(await Promise.all(signInProbes(without.deps.config).map(({ probe }) => probe()))).toEqual([
    'knows the client',
  ]);
  await without.close();
});
