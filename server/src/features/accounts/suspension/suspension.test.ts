import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { eventually } from '../../../testing/eventually.ts';
import { mailsTo } from '../../../testing/fake-smtp.ts';
import { cookieOf, ORIGIN, PASSWORD, type TestUser } from '../../../testing/harness.ts';
import {
  app,
  atGoogle,
  enterByGoogle,
  kindsOf,
  leaveWaysIn,
  mailedToken,
  opensInstallation,
  post,
  smtp,
  statusOfKey,
  statusOfLink,
  ways,
} from '../../../testing/left-ways.ts';
import { ageProofs, nextCodeOf, turnOnTwoFactor } from '../../../testing/ways-in.ts';
import { passkeys, suspendedWays } from '../accounts.identity.table.ts';
import { endSuspension } from './suspension.service.ts';

// The owner of an email gets the account back that somebody has opened with it.

const NEW_PASSWORD = 'a better password';
const ALL = ['api_key', 'link', 'passkey', 'provider', 'tool_server', 'two_factor'];

await opensInstallation();

const serverState = async (as: TestUser) =>
  (await app.request('GET', '/api/mcp-servers', { as })).body.servers[0].state;

async function signIn(email: string, password: string): Promise<TestUser> {
  const answer = await post('/sign-in/email', { email, password });
  expect(answer.body).not.toHaveProperty('twoFactorRedirect');
  expect(answer.status).toBe(200);
  return { uid: answer.body.user.id, email, cookie: cookieOf(answer.headers) };
}

async function resetByMail(email: string, newPassword = NEW_PASSWORD) {
  await post('/request-password-reset', { email });
  return post('/reset-password', { token: await mailedToken(email, '/login/reset#'), newPassword });
}

test('a reset evicts whoever signed up with the owner’s email: no way in works, and nothing else is touched', async () => {
  const eve = await app.signUpByRequest();
  const left = await leaveWaysIn(eve);
  expect([await statusOfKey(left.key), await statusOfLink(left.link)], 'before').toEqual([200, 200]);
  const began = await post('/link-social', { provider: 'google', password: PASSWORD }, eve);
  expect(began.status, 'one account there').toBe(409);

  const stream = await app.app.request(`${ORIGIN}/api/live`, { headers: { cookie: eve.cookie } });
  const done = await resetByMail(eve.email);
  expect([done.status, done.body]).toEqual([200, { status: true, suspended: 6 }]);
  expect(await stream.text(), 'ends, and says why').toContain('"topic":"auth"');
  expect((await app.request('GET', '/api/me', { as: eve })).status, 'sign-in').toBe(401);
  expect([await statusOfKey(left.key), await statusOfLink(left.link)]).toEqual([401, 404]);
  expect(await app.deps.db.$count(passkeys)).toBe(0);
  const entered = await enterByGoogle();
  const asWhom = await app.request('GET', '/api/me', { headers: { cookie: entered.cookie } });
  expect(asWhom.body.user.uid, 'an account of its own').not.toBe(eve.uid);

  const owner = await signIn(eve.email, NEW_PASSWORD);
  expect(owner.uid).toBe(eve.uid);
  expect(await serverState(owner)).toBe('signed_out');
  const { ways: working, suspended } = await ways(owner);
  expect(working).toEqual([]);
  expect(kindsOf(suspended)).toEqual(ALL);
  for (const way of suspended) {
    expect(Date.parse(way.addedAt)).toBeLessThanOrEqual(Date.now());
    expect(Date.parse(way.deletedAt) - Date.now()).toBeGreaterThan(29.9 * 86_400_000);
  }
  expect((await app.request('GET', '/api/sessions', { as: owner })).body.sessions).toHaveLength(1);
  expect((await app.request('GET', '/api/agents', { as: owner })).body.agents).toHaveLength(1);
  await eventually(() => {
    const told = mailsTo(smtp, eve.email).find(({ subject }) => subject.includes('your password was changed'));
    expect(told?.text.replaceAll(/\s+/gu, ' ') ?? '').toContain('6 other ways into it');
  });
});

test('what somebody began before the reset links nothing after it', async () => {
  const eve = await app.signUpByRequest();
  const begun = await post('/link-social', { provider: 'google', password: PASSWORD }, eve);
  expect((await resetByMail(eve.email)).status).toBe(200);
  await atGoogle(begun, eve.cookie);
  const owner = await signIn(eve.email, NEW_PASSWORD);
  expect((await ways(owner)).ways).toEqual([]);
});

test('the owner keeps what is theirs, with a fresh proof, once; the rest goes after 30 days', async () => {
  const eve = await app.signUpByRequest();
  const left = await leaveWaysIn(eve);
  await resetByMail(eve.email);
  const owner = await signIn(eve.email, NEW_PASSWORD);
  const { suspended } = await ways(owner);
  const ids = suspended.map(({ id }: { id: string }) => id);
  const keep = (body: object, as: TestUser | undefined = owner) => post('/keep-ways', body, as);
  await ageProofs(app);
  expect((await keep({ ids })).status, 'no proof').toBe(403);
  expect((await keep({ ids, password: PASSWORD })).status, 'the old one').toBe(403);
  expect((await post('/keep-ways', { ids, password: NEW_PASSWORD })).status, 'signed out').toBe(401);
  expect((await keep({ ids: ['x'], password: NEW_PASSWORD })).status).toBe(400);
  const other = await app.signUpByRequest();
  expect((await keep({ ids, password: PASSWORD }, other)).status, 'somebody else').toBe(404);
  expect(await statusOfKey(left.key)).toBe(401);

  const both = await Promise.all([1, 2].map(() => keep({ ids, password: NEW_PASSWORD })));
  expect(both.map(({ status }) => status).toSorted(), 'twice at once').toEqual([200, 404]);
  expect([await statusOfKey(left.key), await statusOfLink(left.link)]).toEqual([200, 200]);
  expect(await app.deps.db.$count(passkeys)).toBe(1);
  expect(await serverState(owner)).toBe('approved');
  const asked = await post('/sign-in/email', { email: eve.email, password: NEW_PASSWORD });
  expect(asked.body).toMatchObject({ twoFactorRedirect: true });
  const code = { code: nextCodeOf(left.secret) };
  expect(
    (
      await app.request('POST', '/api/auth/two-factor/verify-totp', {
        body: code,
        headers: { cookie: cookieOf(asked.headers) },
      })
    ).status,
  ).toBe(200);
  expect(await ways(owner)).toMatchObject({ suspended: [] });
  expect(kindsOf((await ways(owner)).ways)).toEqual(ALL.filter((kind) => kind !== 'two_factor'));

  await app.deps.db.insert(suspendedWays).values(
    [29, 31].map((days) => ({
      userId: owner.uid,
      id: `01890000-0000-7000-8000-0000000000${days}`,
      kind: 'link' as const,
      name: `${days}`,
      suspendedAt: sql`now() - make_interval(days => ${days})`,
      row: {},
    })),
  );
  await endSuspension(app.deps, { userId: owner.uid });
  expect((await ways(owner)).suspended.map(({ name }: { name: string }) => name)).toEqual(['29']);
});

test('what can’t come back is refused whole, with a sentence', async () => {
  const eve = await app.signUpByRequest();
  await leaveWaysIn(eve);
  await resetByMail(eve.email);
  const owner = await signIn(eve.email, NEW_PASSWORD);
  // The account at Google opens another account by now.
  await enterByGoogle();
  const ids = (await ways(owner)).suspended.map(({ id }: { id: string }) => id);
  const refused = await post('/keep-ways', { ids, password: NEW_PASSWORD }, owner);
  expect([refused.status, refused.body.error.message]).toEqual([
    409,
    '“Google” can’t be kept: what it belongs to is gone, or another has its place.',
  ]);
  expect((await ways(owner)).suspended).toHaveLength(6);
});

test('a second factor from after the email was confirmed stays: a mailbox alone opens nothing', async () => {
  const owner = await app.signUpByRequest();
  expect(
    (await post('/verify-email', { token: await mailedToken(owner.email, '/login/confirm#') }, owner)).status,
  ).toBe(200);
  await leaveWaysIn(owner);
  expect((await resetByMail(owner.email)).body.suspended).toBe(5);
  const asked = await post('/sign-in/email', { email: owner.email, password: NEW_PASSWORD });
  expect(asked.body).toMatchObject({ twoFactorRedirect: true });
});

test('a new password that signs others out suspends what isn’t kept; one that doesn’t leaves all', async () => {
  const owner = await app.signUpByRequest();
  const left = await leaveWaysIn(owner);
  const change = (currentPassword: string, newPassword: string, more: object) =>
    post('/change-password', { currentPassword, newPassword, ...more }, owner);
  expect((await change(PASSWORD, NEW_PASSWORD, {})).status).toBe(200);
  expect((await ways(owner)).suspended).toEqual([]);
  const { ways: working } = await ways(owner);
  const keep = working.filter(({ kind }: { kind: string }) => kind === 'api_key').map(({ id }: { id: string }) => id);
  expect((await change(NEW_PASSWORD, PASSWORD, { revokeOtherSessions: true, keep })).status).toBe(200);
  expect(await statusOfKey(left.key)).toBe(200);
  expect(await statusOfLink(left.link)).toBe(404);
  expect(kindsOf((await ways(owner)).suspended)).toEqual(['link', 'passkey', 'provider', 'tool_server']);
});

test('new recovery codes are mailed about', async () => {
  const owner = await app.signUpByRequest();
  const { secret } = await turnOnTwoFactor(app, owner);
  const renewed = await post('/two-factor/generate-backup-codes', { code: nextCodeOf(secret) }, owner);
  expect(renewed.status).toBe(200);
  await eventually(() =>
    expect(mailsTo(smtp, owner.email).map(({ subject }) => subject)).toContain('Atelier: new recovery codes'),
  );
});
