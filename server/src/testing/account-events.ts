import type { ActivityEvent } from '@atelier/contract/accounts/activity';
import { beforeEach, expect } from 'vitest';
import { user } from '../features/accounts/accounts.table.ts';
import { runAdminCommand } from '../features/operator/operator.service.ts';
import { createLog } from '../platform/log.ts';
import * as mails from './fake-smtp.ts';
import { type Answer, cookieOf, ORIGIN, type TestUser } from './harness.ts';
import { app, comeBack, opensInstallation, smtp } from './left-ways.ts';
import * as ways from './ways-in.ts';
import { nextCodeOf } from './ways-in.ts';

// Everything that concerns the safety of an account, each brought about over HTTP.

const ADDRESS = '203.0.113.77';
export const NETWORK = '203.0.113.0/24';
const FIREFOX = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0';
const FROM = { 'x-forwarded-for': ADDRESS, 'user-agent': FIREFOX };
export const [PASSWORD, NEW_PASSWORD, WRONG] = ['zebra horse staple', 'zebra giraffe staple', 'zebra guess'];

interface Line {
  event: string;
  account: string | null;
  [field: string]: unknown;
}
export let owner: TestUser;
export const lines: Line[] = [];
/** What must stand in no line and no row: beside fixed words, tokens and codes that come up. */
export const secrets: string[] = [];

/** Lets each test of a file begin with one account, its owner signed in. */
export function opensAccount(): void {
  const log = createLog((line) => void lines.push(JSON.parse(line)));
  opensInstallation({ env: { TRUSTED_PROXIES: '127.0.0.1' }, log });
  beforeEach(async () => {
    lines.length = 0;
    secrets.splice(0, secrets.length, ADDRESS, 'zebra', 'Zebra', '@example.com', 'Laptop', 'Cron');
    owner = await signUp();
  });
}

export const request = (method: string, path: string, more: { as?: TestUser; body?: unknown; headers?: object } = {}) =>
  app.request(method, path, { ...more, headers: { ...FROM, ...more.headers } });
export const post = (path: string, body: unknown, as?: TestUser) =>
  request('POST', `/api/auth${path}`, { body, ...(as === undefined ? {} : { as }) });

export function asUser(answer: Answer, email: string): TestUser {
  expect(answer.status).toBe(200);
  const cookie = cookieOf(answer.headers);
  secrets.push(decodeURIComponent(/session_token=([^;]+)/u.exec(cookie)?.[1] ?? 'none').split('.')[0] ?? '');
  return { uid: answer.body.user.id, email, cookie };
}
async function signUp(email = `owner-${crypto.randomUUID()}@example.com`): Promise<TestUser> {
  return asUser(await post('/sign-up/email', { name: 'Ada Zebra', email, password: PASSWORD }), email);
}
export const signIn = (password = PASSWORD, email = owner.email) => post('/sign-in/email', { email, password });

async function mailedToken(path: string, email = owner.email): Promise<string> {
  const token = await mails.mailedToken(smtp, email, path);
  secrets.push(token);
  return token;
}
async function resetByMail() {
  await post('/request-password-reset', { email: owner.email });
  return post('/reset-password', { token: await mailedToken('/login/reset#'), newPassword: NEW_PASSWORD });
}
export const admin = (...args: string[]) => runAdminCommand(app.deps, args);

export async function turnOnTwoFactor() {
  const { secret, usedCode, backupCodes } = await ways.turnOnTwoFactor({ request }, owner, PASSWORD);
  secrets.push(secret, `"${usedCode}"`, `"${nextCodeOf(secret)}"`, ...backupCodes);
  return { secret, backupCodes };
}
/** A sign-in that waits for its code. */
export async function halfIn(): Promise<TestUser> {
  const half = await signIn();
  expect(half.body.twoFactorRedirect).toBe(true);
  return { ...owner, cookie: cookieOf(half.headers) };
}

export const addPasskey = () => ways.addPasskey({ request }, owner, PASSWORD);
export async function enterByPasskey(key: Awaited<ReturnType<typeof addPasskey>>, origin = ORIGIN) {
  const begun = await post('/passkey/generate-authenticate-options', {});
  const as = { ...owner, cookie: cookieOf(begun.headers) };
  return post(
    '/passkey/verify-authentication',
    { response: key.authenticate({ challenge: begun.body.challenge, origin }) },
    as,
  );
}

export const atGoogle = (begun: Answer, cookie = '') => comeBack(begun, 'ada', cookie, FROM);
export const linkGoogle = async () =>
  atGoogle(await post('/link-social', { provider: 'google', password: PASSWORD }, owner), owner.cookie);

async function makeKey(scopes = ['read']) {
  await app.grantPro(owner.uid);
  const { key } = (await request('POST', '/api/keys', { as: owner, body: { name: 'Cron job', scopes } })).body;
  secrets.push(key.secret);
  return { id: String(key.id), headers: { authorization: `Bearer ${key.secret}` } };
}
async function share() {
  await request('POST', '/api/agents', { as: owner, body: { name: 'Zebra Notes', prompt: 'About zebras.' } });
  const sessionId = await app.startSession(owner, 'zebra-notes');
  const body = { sessionId, agentId: 'zebra-notes', inputText: 'My zebra is called Otto.' };
  await request('POST', '/api/runAgentTask', { as: owner, body });
  const made = (await request('POST', `/api/sessions/${sessionId}/shares`, { as: owner, body: {} })).body.share;
  secrets.push(made.token);
  return String(made.id);
}

/** How each event comes about, and what its line says besides. */
export const CAUSES: Record<ActivityEvent, () => Promise<Partial<Line> | void>> = {
  account_opened: async () => ({ about: 'password' }),
  sign_in: async () => {
    asUser(await signIn(), owner.email);
    return { about: 'password' };
  },
  sign_in_failed: async () => {
    expect((await signIn(WRONG)).status).toBe(401);
    return { about: 'password' };
  },
  sign_in_slowed: async () => {
    for (let i = 0; i < 11; i += 1) await signIn(WRONG);
    expect((await signIn()).status).toBe(429);
  },
  code_asked: async () => {
    await turnOnTwoFactor();
    await halfIn();
  },
  code_refused: async () => {
    await turnOnTwoFactor();
    expect((await post('/two-factor/verify-totp', { code: '000000' }, await halfIn())).status).toBe(401);
  },
  recovery_code_used: async () => {
    const { backupCodes } = await turnOnTwoFactor();
    expect((await post('/two-factor/verify-backup-code', { code: backupCodes[0] }, owner)).status).toBe(200);
  },
  signed_out: async () => void (await post('/sign-out', {}, owner)),
  device_signed_out: async () => {
    asUser(await signIn(), owner.email);
    const others = (await request('GET', '/api/auth/list-sessions', { as: owner })).body;
    await post('/revoke-session', { token: others[0].token }, owner);
  },
  password_refused: async () => {
    const body = { currentPassword: WRONG, newPassword: NEW_PASSWORD };
    expect((await post('/change-password', body, owner)).status).toBe(403);
    return { route: 'POST /api/auth/change-password' };
  },
  password_changed: async () => {
    const body = { currentPassword: PASSWORD, newPassword: NEW_PASSWORD };
    expect((await post('/change-password', body, owner)).status).toBe(200);
  },
  password_set: async () => {
    const answer = await atGoogle(await post('/sign-in/social', { provider: 'google' }));
    const as = { uid: '', email: '', cookie: cookieOf(answer.headers) };
    const { uid } = (await request('GET', '/api/me', { as })).body.user;
    owner = { ...as, uid };
    expect((await post('/set-password', { newPassword: NEW_PASSWORD }, as)).status).toBe(200);
  },
  reset_asked: async () => void (await post('/request-password-reset', { email: owner.email.toUpperCase() })),
  reset_link_made: async () => {
    const { message } = await admin('reset-link', owner.email);
    secrets.push(message.slice(message.indexOf('#') + 1));
    return { network: null, device: null };
  },
  password_reset: async () => {
    expect((await resetByMail()).status).toBe(200);
    return { about: 'reset' };
  },
  link_refused: async () => {
    const body = { token: 'x'.repeat(43), newPassword: NEW_PASSWORD };
    expect((await post('/reset-password', body)).status).toBe(400);
    return { account: null };
  },
  email_change_asked: async () => {
    const body = { newEmail: 'new@example.com', currentPassword: PASSWORD };
    expect((await post('/change-email', body, owner)).status).toBe(200);
  },
  email_changed: async () => {
    await post('/change-email', { newEmail: 'new@example.com', currentPassword: PASSWORD }, owner);
    const token = await mailedToken('/login/confirm#', 'new@example.com');
    expect((await post('/verify-email', { token })).status).toBe(200);
  },
  email_confirmed: async () => {
    expect((await post('/verify-email', { token: await mailedToken('/login/confirm#') })).status).toBe(200);
  },
  ways_suspended: async () => {
    await makeKey();
    await addPasskey();
    await resetByMail();
    return { count: 2 };
  },
  ways_kept: async () => {
    await makeKey();
    await resetByMail();
    const as = asUser(await signIn(NEW_PASSWORD), owner.email);
    const { suspended } = (await request('GET', '/api/auth/ways', { as })).body;
    expect((await post('/keep-ways', { ids: [suspended[0].id], password: NEW_PASSWORD }, as)).status).toBe(200);
    return { count: 1 };
  },
  passkey_added: async () => ({ about: (await addPasskey()).id }),
  passkey_removed: async () => {
    const { id } = await addPasskey();
    expect((await post('/passkey/delete-passkey', { id }, owner)).status).toBe(200);
    return { about: id };
  },
  provider_linked: async () => {
    expect((await linkGoogle()).headers.get('location')).toBe('/account?linked=google');
    return { about: 'google' };
  },
  provider_unlinked: async () => {
    await linkGoogle();
    expect((await post('/unlink-account', { provider: 'google' }, owner)).status).toBe(200);
    return { about: 'google' };
  },
  two_factor_on: async () => void (await turnOnTwoFactor()),
  two_factor_off: async () => {
    const { backupCodes } = await turnOnTwoFactor();
    expect((await post('/two-factor/disable', { code: backupCodes[0] }, owner)).status).toBe(200);
  },
  recovery_codes_made: async () => {
    const { backupCodes } = await turnOnTwoFactor();
    const made = await post('/two-factor/generate-backup-codes', { code: backupCodes[0] }, owner);
    secrets.push(...made.body.backupCodes);
  },
  key_made: async () => ({ about: (await makeKey()).id }),
  key_revoked: async () => {
    const { id } = await makeKey();
    expect((await request('DELETE', `/api/keys/${id}`, { as: owner })).status).toBe(204);
    return { about: id };
  },
  key_refused: async () => {
    const { id, headers } = await makeKey();
    const body = { model: 'zebra-notes', messages: [{ role: 'user', content: 'My zebra?' }] };
    expect((await request('POST', '/v1/chat/completions', { body, headers })).status).toBe(403);
    return { about: id, key: id, route: 'POST /v1/chat/completions' };
  },
  key_unknown: async () => {
    secrets.push('sk-atelier-zebra');
    const asked = { body: {}, headers: { authorization: 'Bearer sk-atelier-zebra' } };
    for (const [path, status] of [
      ['/v1/chat/completions', 401],
      ['/mcp/nora', 403],
      ['/api/agents', 401],
    ] as const)
      expect([path, (await request('POST', path, asked)).status]).toEqual([path, status]);
    return { account: null, route: 'POST /api/agents' };
  },
  share_made: async () => ({ about: await share() }),
  share_removed: async () => {
    const id = await share();
    expect((await request('DELETE', `/api/shares/${id}`, { as: owner })).status).toBe(204);
    return { about: id };
  },
  data_exported: async () => void (await request('GET', '/api/export', { as: owner })),
  account_approved: async () => {
    await app.deps.db.update(user).set({ waitingFor: 'approval' });
    expect((await admin('approve', owner.email)).ok).toBe(true);
    return { network: null, device: null };
  },
  account_disabled: async () => {
    expect((await admin('disable', owner.email, '--reason', 'zebra')).ok).toBe(true);
    return { network: null, device: null };
  },
  account_enabled: async () => {
    await admin('disable', owner.email);
    expect((await admin('enable', owner.email)).ok).toBe(true);
    return { network: null, device: null };
  },
  account_deleted: async () => {
    expect((await request('DELETE', '/api/me', { as: owner, body: { password: PASSWORD } })).status).toBe(200);
  },
  refused: async () => {
    const body = { userId: 'somebody', sessionId: crypto.randomUUID(), agentId: 'y', inputText: 'My zebra?' };
    expect((await request('POST', '/api/runAgentTask', { as: owner, body })).status).toBe(403);
    return { route: 'POST /api/runAgentTask' };
  },
};
