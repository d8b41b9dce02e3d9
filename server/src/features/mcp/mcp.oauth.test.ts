import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { readExport } from '../../testing/files.ts';
import { cookieOf, emptyApp, PASSWORD, type TestUser } from '../../testing/harness.ts';
import { beforeTransaction } from '../../testing/in-between.ts';
import { workerOf } from '../../testing/mcp/conversation.ts';
import { startMcpServer } from '../../testing/mcp/http-server.ts';
import { signInAt, startOAuth } from '../../testing/mcp/oauth-server.ts';
import { authSession } from '../accounts/accounts.identity.table.ts';
import { suspendWays } from '../accounts/suspension/suspension.service.ts';
import { mcpServers } from './mcp.table.ts';
import { openSecrets, sealSecrets } from './server-secrets.ts';

const act = { name: 'act', description: 'Acts.', inputSchema: { type: 'object' } };
const BACK = 'http://localhost/api/mcp-servers/signed-in';

let ada: TestUser;
let bob: TestUser;
let oauth: Awaited<ReturnType<typeof startOAuth>>;
const logged: unknown[] = [];
const log = {
  info: (...line: unknown[]) => void logged.push(line),
  error: (...line: unknown[]) => void logged.push(line.map((part) => (part instanceof Error ? part.stack : part))),
};
const app = await emptyApp({ env: { FETCH_ALLOWED: '127.0.0.1' }, log });
beforeEach(async () => {
  [ada, bob] = [await app.signUpPro('Ada'), await app.signUpPro('Bob')];
  oauth = await startOAuth([act]);
  return () => oauth.close();
});

afterEach(() => void vi.restoreAllMocks());

const { open, start, until, approve, askAndAllow } = workerOf(
  () => app,
  () => ada,
);
const add = async (url = oauth.url) =>
  (await app.request('POST', '/api/mcp-servers', { as: ada, body: { name: 'Mine', url } })).body.server;
const begin = (id: string, body: object = {}, as: TestUser | undefined = ada) =>
  app.request('POST', `/api/mcp-servers/${id}/sign-in`, { as, body });
const listed = async () => (await app.request('GET', '/api/mcp-servers', { as: ada })).body.servers[0];
const comeBack = (address: string, as: TestUser | null = ada) =>
  app.request('GET', address.replace('http://localhost', ''), { as: as ?? undefined });

/** Adds the server and signs in there, in a browser. */
async function signedIn() {
  const { id } = await add();
  const { address } = (await begin(id)).body;
  const back = await signInAt(address, BACK);
  expect((await comeBack(back)).status).toBe(200);
  return { server: await listed(), back, address };
}

it('wants a sign-in, gets one, and its tools are there', async () => {
  const added = await add();
  expect(added).toMatchObject({ state: 'signed_out', access: 'sign_in', tools: [] });
  const { address } = (await begin(added.id)).body;
  const asked = new URL(address).searchParams;
  expect(asked.get('code_challenge_method')).toBe('S256');
  expect(asked.get('resource')).toBe(oauth.url);
  const back = await signInAt(address, BACK);
  const page = await comeBack(back);
  expect([page.status, page.body]).toEqual([200, expect.stringContaining('You are signed in at “Mine”.')]);
  expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
  const server = await listed();
  expect(server).toMatchObject({ state: 'approved', access: 'sign_in', tools: [{ server: 'Mine' }] });
  const task = await askAndAllow(await open([server.tools[0].id]), 'Use act');
  expect(task.toolCalls).toMatchObject([{ state: 'done', output: 'ahoy' }]);
  // Its end is the only one: who comes with the same address again finds nothing.
  expect((await comeBack(back)).status).toBe(400);
});

it('renews a token that has ended, once for all who need it, and asks for a new sign-in when that fails', async () => {
  const { server } = await signedIn();
  const sessionId = await open([server.tools[0].id]);
  await askAndAllow(sessionId, 'Use act');
  const before = oauth.valid.size;
  oauth.endTokens();
  const other = await app.startSession(ada, 'worker');
  const tasks = await Promise.all([askAndAllow(sessionId, 'Use act'), askAndAllow(other, 'Use act')]);
  for (const { toolCalls } of tasks) expect(toolCalls).toMatchObject([{ state: 'done', output: 'ahoy' }]);
  expect(oauth.valid.size).toBe(before + 1);

  oauth.refuseAll();
  expect((await askAndAllow(sessionId, 'Use act')).toolCalls).toMatchObject([{ state: 'failed' }]);
});

const suspendOnly = () => app.deps.db.transaction((tx) => suspendWays(app.deps, tx, ada.uid, { twoFactor: false }));
const suspend = async () => {
  await app.deps.db.delete(authSession);
  await suspendOnly();
};
const known = async () => (await app.deps.db.select().from(mcpServers))[0];

it('a new password ends a sign-in that begins at this moment, and one that ends', async () => {
  const { id } = await add();
  const back = await signInAt((await begin(id)).body.address, BACK);
  oauth.beforeToken(suspend);
  const ended = await comeBack(back);
  expect([ended.status, ended.body]).toEqual([400, expect.stringContaining('Please log in first.')]);
  expect(await known()).toMatchObject({ secrets: null, signedOut: true });
  const body = { email: ada.email, password: PASSWORD };
  ada = { ...ada, cookie: cookieOf((await app.request('POST', '/api/auth/sign-in/email', { body })).headers) };
  beforeTransaction(app, suspend);
  expect((await begin(id)).status).toBe(401);
  expect(await known()).toMatchObject({ secrets: null, signedOut: true });
});

it('a new password takes the server from a run that goes on', async () => {
  const { server } = await signedIn();
  const task = await start(await open([server.tools[0].id]), 'Use act');
  await until(task, 'waiting');
  await suspendOnly();
  await approve(task, { callId: 'call-1', decision: 'once' });
  const { toolCalls } = await until(task, 'done');
  expect(toolCalls).toMatchObject([{ state: 'failed', output: expect.stringMatching(/Sign in again/u) }]);
  expect(oauth.called).toEqual([]);
});

it('a token that is being renewed when a new password comes is not kept', async () => {
  const { server } = await signedIn();
  const sessionId = await open([server.tools[0].id]);
  oauth.endTokens();
  const task = await start(sessionId, 'Use act');
  await until(task, 'waiting');
  oauth.beforeToken(suspendOnly);
  await approve(task, { callId: 'call-1', decision: 'once' });
  await until(task, 'done');
  expect(await known()).toMatchObject({ secrets: null, signedOut: true });
});

it('a token that is being renewed when the person gives the server headers replaces none of them', async () => {
  const { server } = await signedIn();
  const sessionId = await open([server.tools[0].id]);
  oauth.endTokens();
  const task = await start(sessionId, 'Use act');
  await until(task, 'waiting');
  const secrets = sealSecrets(app.deps, { userId: ada.uid, id: server.id }, { headers: { 'x-key': 'new' } });
  oauth.beforeToken(() => app.deps.db.update(mcpServers).set({ access: 'headers', secrets }));
  await approve(task, { callId: 'call-1', decision: 'once' });
  await until(task, 'done');
  expect(await known()).toMatchObject({ access: 'headers', secrets });
});

it('says that the person must sign in again when nothing renews the token, and not when its service fails', async () => {
  const { server } = await signedIn();
  const sessionId = await open([server.tools[0].id]);
  oauth.endTokens();
  const call = async () => (await askAndAllow(sessionId, 'Use act')).toolCalls;
  oauth.beforeToken(async (response) => response.writeHead(503).end());
  expect(await call()).toMatchObject([{ state: 'failed', output: expect.stringMatching(/Try again later/) }]);
  expect(await listed()).toMatchObject({ state: 'approved', access: 'sign_in' });
  oauth.beforeToken(async () => {});
  expect(await call()).toMatchObject([{ state: 'done' }]);

  oauth.endTokens();
  oauth.beforeToken(async (response) => response.writeHead(400).end('{"error":"invalid_grant"}'));
  expect(await call()).toMatchObject([{ state: 'failed', output: expect.stringMatching(/Sign in again/) }]);
  expect(await listed()).toMatchObject({ state: 'signed_out', access: 'sign_in' });
});

it('a sign-in that begins keeps what the server knows the person by at this moment', async () => {
  const { server } = await signedIn();
  const place = { userId: ada.uid, id: server.id };
  const secrets = sealSecrets(app.deps, place, { headers: { 'x-key': 'new' } });
  beforeTransaction(app, () => app.deps.db.update(mcpServers).set({ secrets }));
  expect((await begin(server.id)).status).toBe(200);
  expect(openSecrets(app.deps, { ...place, secrets: (await known())?.secrets ?? null })).toMatchObject({
    headers: { 'x-key': 'new' },
    pending: expect.anything(),
  });
});

it('uses a client that the person registered by hand, where the service registers none', async () => {
  await oauth.close();
  oauth = await startOAuth([act], { registers: false });
  const { id } = await add();
  expect((await begin(id)).body.error).toMatchObject({
    field: 'client',
    message: expect.stringMatching(/enter the client ID/),
  });
  const { address } = (await begin(id, { client: { id: 'given', secret: 'secret-of-the-given-client' } })).body;
  expect(new URL(address).searchParams.get('client_id')).toBe('given');
  expect((await comeBack(await signInAt(address, BACK))).status).toBe(200);
  expect(await listed()).toMatchObject({ state: 'approved' });
});

it('says so when a server offers no sign-in', async () => {
  await oauth.close();
  oauth = await startOAuth([act], { describes: false });
  const { id } = await add();
  expect((await begin(id)).body.error.message).toMatch(/give it a token instead|enter the client ID/);
});

it('a sign-in is bound to the person who began it, and to what they began', async () => {
  const { id } = await add();
  const { address } = (await begin(id)).body;
  const back = new URL(await signInAt(address, BACK));
  expect((await comeBack(back.href, bob)).status).toBe(400);
  expect((await begin(id, {}, bob)).status).toBe(404);
  expect((await comeBack(back.href, null)).status).toBe(401);
  for (const state of ['', 'x', `${id}.x`, `${id}.${'x'.repeat(5000)}`]) {
    const forged = new URL(back);
    forged.searchParams.set('state', state);
    expect((await comeBack(forged.href)).status).toBe(400);
  }
  const refused = new URL(back);
  refused.searchParams.delete('code');
  refused.searchParams.set('error', 'access_denied');
  expect((await comeBack(refused.href)).body).toContain('the sign-in was not completed');
  // Refusing ended it.
  expect((await comeBack(back.href)).status).toBe(400);
  expect(await listed()).toMatchObject({ state: 'signed_out' });
  expect((await begin(id, { client: { id: '' } })).status).toBe(400);
});

it('a token reaches no other server, no log, no export and no page', async () => {
  const other = await startMcpServer([act]);
  const { server, back } = await signedIn();
  const elsewhere = await add(other.url);
  const sessionId = await open([server.tools[0].id, elsewhere.tools[0].id]);
  // A server may repeat what it was sent.
  oauth.answers.set('echo', [...oauth.valid].join(' '));
  const task = await askAndAllow(sessionId, `Use ${server.tools[0].id} with {"id": "echo"}`);
  expect(task.toolCalls).toMatchObject([{ state: 'done', output: '[redacted]' }]);
  const second = await askAndAllow(sessionId, `Use ${elsewhere.tools[0].id}`);
  expect(second.toolCalls).toMatchObject([{ state: 'done' }]);
  const exported = await readExport(app, ada);
  expect(exported).toContain(oauth.url);
  const rows = await app.deps.db.select().from(mcpServers);
  const texts = [JSON.stringify([server, task, second, rows, logged, other.headers, other.called]), exported];
  const secrets = [...oauth.valid, new URL(back).searchParams.get('code') ?? ''];
  expect(secrets.length).toBeGreaterThan(1);
  for (const secret of secrets) for (const text of texts) expect(text.includes(secret)).toBe(false);
  await other.close();
});
