import { beforeEach, expect } from 'vitest';
import { mcpServers } from '../features/mcp/mcp.table.ts';
import * as mails from './fake-smtp.ts';
import { type Answer, cookieOf, emptyApp, ORIGIN, PASSWORD, type TestApp, type TestUser } from './harness.ts';
import { closing } from './lifetimes.ts';
import { signInAt } from './mcp/oauth-server.ts';
import { startGoogle } from './sign-in-providers.ts';
import { addPasskey, turnOnTwoFactor } from './ways-in.ts';

// Somebody signs up with the owner's email, and leaves every kind of way in behind.

const BACK = `${ORIGIN}/api/auth/callback`;
export let smtp: mails.FakeSmtp;
export let app: TestApp;

/** Lets each test of a file begin with an empty installation that mails, and with accounts at Google. */
export async function opensInstallation({
  env,
  ...more
}: Pick<NonNullable<Parameters<typeof emptyApp>[0]>, 'env' | 'log'> = {}) {
  const google = await closing(startGoogle(`${BACK}/google`));
  smtp = await closing(mails.startFakeSmtp());
  const own = { PUBLIC_URL: ORIGIN, FETCH_ALLOWED: '127.0.0.1', SMTP_URL: smtp.url, MAIL_TO: 'desk@example.com' };
  app = await emptyApp({ env: { ...google.env, ...own, ...env }, ...more });
  beforeEach(() => {
    smtp.reset();
    google.people.clear();
    google.people.set('eve', { email: 'eve@example.com', email_verified: true, name: 'Eve' });
    google.people.set('ada', { email: 'elsewhere@example.com', email_verified: true, name: 'Ada Zebra' });
  });
}

export const post = (path: string, body: unknown, as?: TestUser) =>
  app.request('POST', `/api/auth${path}`, { body, as });
export const ways = async (as: TestUser) => (await app.request('GET', '/api/auth/ways', { as })).body;
export const kindsOf = (some: { kind: string }[]) => some.map(({ kind }) => kind).toSorted();

export const mailedToken = (email: string, page: string) => mails.mailedToken(smtp, email, page);

/** The whole way to a provider and back, in a browser with these cookies. */
export async function comeBack(begun: Pick<Answer, 'body' | 'headers'>, login: string, cookie = '', more = {}) {
  const back = await signInAt(begun.body.url, `${BACK}/google`, login);
  const headers = { ...more, cookie: [cookie, cookieOf(begun.headers)].filter(Boolean).join('; ') };
  return app.request('GET', back.slice(ORIGIN.length), { headers });
}

/** The same for Eve; returns where it ends, and signed in as whom. */
export async function atGoogle(begun: Answer, cookie = '') {
  const { headers } = await comeBack(begun, 'eve', cookie);
  return { location: headers.get('location') ?? '', cookie: cookieOf(headers) };
}

const linkGoogle = async (as: TestUser) =>
  atGoogle(await post('/link-social', { provider: 'google', password: PASSWORD }, as), as.cookie);
export const enterByGoogle = async () => atGoogle(await post('/sign-in/social', { provider: 'google' }));

/** An account with every way in: returns what somebody needs to use them. */
export async function leaveWaysIn(as: TestUser) {
  await app.grantPro(as.uid);
  await app.call(as, 'POST', '/api/agents', { name: 'Notes', prompt: 'p' });
  const sessionId = await app.startSession(as, 'notes');
  await app.call(as, 'POST', '/api/runAgentTask', { sessionId, agentId: 'notes', inputText: 'Hello' });
  const key = (await app.call(as, 'POST', '/api/keys', { name: 'Script' })).key.secret;
  const link = (await app.call(as, 'POST', `/api/sessions/${sessionId}/shares`, {})).share.token;
  await addPasskey(app, as);
  const server = { name: 'Wiki', url: 'https://wiki.test/mcp', secrets: 'sealed', tools: [], key: as.uid };
  const values = { ...server, userId: as.uid, id: crypto.randomUUID(), access: 'sign_in' as const };
  await app.deps.db.insert(mcpServers).values(values);
  expect((await linkGoogle(as)).location).toBe('/account?linked=google');
  const { secret } = await turnOnTwoFactor(app, as);
  return { key, link, secret };
}

export const statusOfKey = async (key: string) =>
  (await app.request('GET', '/v1/models', { headers: { authorization: `Bearer ${key}` } })).status;
export const statusOfLink = async (token: string) => (await app.request('GET', `/api/shared/${token}`)).status;
