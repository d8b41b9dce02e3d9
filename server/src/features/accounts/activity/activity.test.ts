import { readFileSync } from 'node:fs';
import { type ActivityEvent, activityEvent } from '@atelier/contract/accounts/activity';
import { expect, test } from 'vitest';
import {
  addPasskey,
  admin,
  asUser,
  atGoogle,
  halfIn,
  type Line,
  linesOf,
  linkGoogle,
  NETWORK,
  NEW_PASSWORD,
  opensAccount,
  owner,
  PASSWORD,
  post,
  request,
  rowsOf,
  secrets,
  signIn,
  turnOnTwoFactor,
  WRONG,
} from '../../../testing/account-events.ts';
import { eventually } from '../../../testing/eventually.ts';
import * as mails from '../../../testing/fake-smtp.ts';
import { cookieOf } from '../../../testing/harness.ts';
import { app, smtp } from '../../../testing/left-ways.ts';
import { user } from '../accounts.table.ts';

await opensAccount();

/** Those that leave no row: of no account, or of one that is gone. */
const LINES_ALONE: ActivityEvent[] = ['link_refused', 'key_unknown', 'account_deleted'];

async function mailedToken(path: string, email = owner.email): Promise<string> {
  const token = await mails.mailedToken(smtp, email, path);
  secrets.push(token);
  return token;
}
async function resetByMail() {
  await post('/request-password-reset', { email: owner.email });
  return post('/reset-password', { token: await mailedToken('/login/reset#'), newPassword: NEW_PASSWORD });
}
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
const CAUSES: Record<ActivityEvent, () => Promise<Partial<Line> | void>> = {
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
    Object.assign(owner, { ...as, uid });
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

test.each(activityEvent.options)(
  'what leaves a line for the operator, and a row for the account: %s',
  async (event) => {
    const more = await CAUSES[event]();
    const expected = { level: 'info', account: owner.uid, network: NETWORK, device: 'Firefox on Windows', ...more };
    await eventually(() => expect(linesOf(event).at(-1)).toMatchObject(expected));
    if (LINES_ALONE.includes(event)) return expect(await rowsOf(event)).toEqual([]);
    const { account: userId, network, device } = expected;
    const [row] = await rowsOf(event);
    expect(row).toMatchObject({ userId, network, device, ...('about' in expected ? { about: expected.about } : {}) });
  },
);

test('every event is described for operators', () => {
  const described = readFileSync(new URL('../../../../../docs/running.md', import.meta.url), 'utf8');
  expect(activityEvent.options.filter((event) => !described.includes(`\`${event}\``))).toEqual([]);
});
