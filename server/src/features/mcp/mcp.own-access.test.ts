import { createServer } from 'node:https';
import { type AddressInfo, createServer as createSocketServer } from 'node:net';
import { beforeEach, describe, expect, it } from 'vitest';
import { isNightly } from '../../testing/effort.ts';
import { eventually } from '../../testing/eventually.ts';
import { readExport } from '../../testing/files.ts';
import { emptyApp, type TestUser } from '../../testing/harness.ts';
import { closing } from '../../testing/lifetimes.ts';
import { listen, SELF_SIGNED } from '../../testing/listen.ts';
import { startPageServer } from '../../testing/mcp/asking-server.ts';
import { workerOf } from '../../testing/mcp/conversation.ts';
import { serveMessages, startMcpServer } from '../../testing/mcp/http-server.ts';
import { startEverything } from '../../testing/mcp/programs.ts';
import { mcpServers } from './mcp.table.ts';

const TOKEN = 'token-of-ada-0123456789';
const act = { name: 'act', description: 'Acts.', inputSchema: { type: 'object' } };
const logged: unknown[] = [];
const log = {
  info: (...line: unknown[]) => void logged.push(line),
  error: (...line: unknown[]) => void logged.push(line.map((part) => (part instanceof Error ? part.stack : part))),
};

let ada: TestUser;
let bob: TestUser;
const app = await emptyApp({ env: { FETCH_ALLOWED: '127.0.0.1' }, log });
beforeEach(async () => {
  [ada, bob] = [await app.signUpPro('Ada'), await app.signUpPro('Bob')];
});

const { open, start, until, approve, askAndAllow } = workerOf(
  () => app,
  () => ada,
);
const add = (body: object) => app.request('POST', '/api/mcp-servers', { as: ada, body: { name: 'Mine', ...body } });
const listed = async () => (await app.request('GET', '/api/mcp-servers', { as: ada })).body.servers[0];

describe('a server that wants a header', () => {
  let accepted = TOKEN;
  let server: Awaited<ReturnType<typeof startMcpServer>>;
  let other: Awaited<ReturnType<typeof startMcpServer>>;
  let away = false;
  /** What each request showed, also one that was refused. */
  let shown: (string | undefined)[];
  beforeEach(async () => {
    accepted = TOKEN;
    away = false;
    shown = [];
    other = await startMcpServer([act]);
    server = await startMcpServer([act], 0, (request, response) => {
      shown.push(request.headers.authorization);
      if (away) return response.writeHead(307, { location: other.url }).end() !== undefined;
      if (request.headers.authorization === `Bearer ${accepted}`) return false;
      return response.writeHead(401).end() !== undefined;
    });
    return async () => {
      await server.close();
      await other.close();
    };
  });
  const headers = { Authorization: `Bearer ${TOKEN}` };

  it('gets it with each request, and nobody ever sees it again', async () => {
    const added = await add({ url: server.url, headers });
    expect(added.body.error).toBeUndefined();
    expect(added.body.server).toMatchObject({ access: 'headers', state: 'approved' });
    const sessionId = await open([added.body.server.tools[0].id]);
    // A server may repeat what it was sent.
    server.answers.set('echo', `You are ${TOKEN}.`);
    const task = await start(sessionId, 'Use act with {"id": "echo"}');
    await until(task, 'waiting');
    await approve(task, { callId: 'call-1', decision: 'once' });
    const done = await until(task, 'done');
    expect(done.toolCalls).toMatchObject([{ state: 'done', output: 'You are [redacted].' }]);
    expect(shown.length).toBeGreaterThan(0);
    expect(new Set(shown)).toEqual(new Set([headers.Authorization]));

    const exported = await readExport(app, ada);
    expect(exported).toContain(server.url);
    const rows = await app.deps.db.select().from(mcpServers);
    const texts = [JSON.stringify([added, await listed(), done, rows, logged]), exported];
    for (const text of texts) expect(text.includes(TOKEN)).toBe(false);
  });

  it('never sends it on to another server', async () => {
    const { id, tools } = (await add({ url: server.url, headers })).body.server;
    away = true;
    const sessionId = await open([tools[0].id]);
    expect((await askAndAllow(sessionId, 'Use act')).toolCalls).toMatchObject([
      { state: 'failed', output: expect.stringMatching(/sends on to another address, at 127\.0\.0\.1:\d+\./) },
    ]);
    expect(other.headers).toEqual([]);
    expect((await app.request('DELETE', `/api/mcp-servers/${id}`, { as: ada })).status).toBe(204);
  });

  it('takes new ones once the server accepts them, from its owner only', async () => {
    const { id, tools } = (await add({ url: server.url, headers })).body.server;
    const sessionId = await open([tools[0].id]);
    await askAndAllow(sessionId, 'Use act');
    accepted = 'another-token-987654321';
    expect((await askAndAllow(sessionId, 'Use act')).toolCalls).toMatchObject([
      { state: 'failed', output: expect.stringMatching(/wants to know who you are \(401\)/) },
    ]);
    const change = (value: string, as = ada) =>
      app.request('PATCH', `/api/mcp-servers/${id}`, { as, body: { headers: { Authorization: `Bearer ${value}` } } });
    expect((await change(accepted, bob)).status).toBe(404);
    expect((await change('wrong-token-111111111')).body.error).toMatchObject({ field: 'headers' });
    expect((await app.request('PATCH', `/api/mcp-servers/${id}`, { as: ada, body: {} })).status).toBe(400);
    expect((await change(accepted)).body.server).toMatchObject({ state: 'approved', access: 'headers' });
    expect((await askAndAllow(sessionId, 'Use act')).toolCalls).toMatchObject([{ state: 'done' }]);
  });

  it('can be added without one, and given it later', async () => {
    const added = (await add({ url: server.url })).body.server;
    expect(added).toMatchObject({ state: 'signed_out', tools: [] });
    const given = await app.request('PATCH', `/api/mcp-servers/${added.id}`, { as: ada, body: { headers } });
    expect(given.body.server).toMatchObject({ state: 'approved', access: 'headers', tools: [{ server: 'Mine' }] });
  });
});

describe('each failure is told apart, with what to do', () => {
  const answering = (status: number, more: object = {}) =>
    startMcpServer([act], 0, (_request, response) => response.writeHead(status, { ...more }).end('x') !== undefined);
  const refusal = async (url: string, more: object = {}) => (await add({ url, ...more })).body.error;

  it.each([
    [403, /does not allow this \(403\)/],
    [404, /nothing at this address \(404\)\. Check the path/],
    [410, /nothing at this address \(410\)/],
    [429, /too many requests \(429\)\. Try again later/],
    [500, /a problem of its own \(500\)\. Try again later/],
    [503, /a problem of its own \(503\)/],
    [405, /refused the request \(405\), so it probably does not speak/],
    [200, /does not speak the Model Context Protocol at this address\. Check the path/],
  ])('%i', async (status, sentence) => {
    const server = await answering(status, { 'content-type': 'text/plain' });
    expect(await refusal(server.url)).toMatchObject({ field: 'url', message: expect.stringMatching(sentence) });
    await server.close();
  });

  it('401 with a token', async () => {
    const server = await answering(401);
    expect(await refusal(server.url, { headers: { 'X-Key': TOKEN } })).toMatchObject({
      field: 'headers',
      message: expect.stringMatching(/who you are \(401\).*check that it is right/),
    });
    await server.close();
  });

  it.each([-32_000, -32_001, -32_603])('a refusal of its own (%i)', async (code) => {
    const error = { code, message: 'No such workspace.' };
    const server = await serveMessages(async ({ id }) => ({ jsonrpc: '2.0', id, error }));
    expect((await refusal(server.url)).message).toBe('The server refused this. It says: “No such workspace.”');
    await server.close();
  });

  it('nobody answers, and nobody has the name', async () => {
    const gone = await answering(200);
    await gone.close();
    expect((await refusal(gone.url)).message).toMatch(/can’t be reached: nothing answers at 127\.0\.0\.1:\d+\. Check/);
    expect((await refusal('http://no-such-host.invalid/mcp')).message).toMatch(
      /can’t be reached: no machine is called no-such-host\.invalid\. Check the address/,
    );
  });

  it('an address that is not on the public internet, which is not even connected to', async () => {
    let connections = 0;
    const inside = createSocketServer((socket) => {
      connections += 1;
      socket.destroy();
    });
    await new Promise<void>((done) => inside.listen(0, '0.0.0.0', done));
    const { port } = inside.address() as AddressInfo;
    for (const host of ['127.0.0.2', '[::ffff:127.0.0.1]', '0.0.0.0']) {
      expect((await refusal(`http://${host}:${port}/mcp`)).message).toMatch(/not on the public internet/);
    }
    expect(connections).toBe(0);
    // The operator opened this one: the others would have got through, too.
    await refusal(`http://127.0.0.1:${port}/mcp`);
    expect(connections).toBeGreaterThan(0);
    await new Promise((done) => inside.close(done));
  });

  it('a certificate that nobody signed', async () => {
    const server = createServer(SELF_SIGNED, (_request, response) => response.end());
    const { port, close } = await listen(server);
    expect((await refusal(`https://127.0.0.1:${port}/mcp`)).message).toMatch(
      /certificate can’t be trusted: it is signed by nobody but itself/,
    );
    await close();
  });

  it.runIf(isNightly)('no answer at all', async () => {
    const silent = createSocketServer(() => {}).listen(0, '127.0.0.1');
    await new Promise((done) => silent.once('listening', done));
    const { port } = silent.address() as AddressInfo;
    expect((await refusal(`http://127.0.0.1:${port}/mcp`)).message).toMatch(/did not answer in time\. Try again later/);
    silent.close();
  });
});

const old = await closing(startEverything('sse'));
describe('a server of the old transport', () => {
  it('is spoken to as it understands', async () => {
    const { server } = (await add({ url: old.url })).body;
    const echo = server.tools.find(({ id }: { id: string }) => id.endsWith('__echo'));
    const task = await askAndAllow(await open([echo.id]), `Use ${echo.id} with {"message": "ahoy"}`);
    expect(task.toolCalls).toMatchObject([{ state: 'done', output: expect.stringContaining('ahoy') }]);
  });
});

describe('a server with sessions', () => {
  it('keeps one for the length of a conversation, its own for each, and begins again when it was ended', async () => {
    const server = await startPageServer();
    const { id, tools } = (await add({ url: server.url })).body.server;
    const sessionId = await open(tools.map((tool: { id: string }) => tool.id));
    const output = async (session: string, text: string) => (await askAndAllow(session, text)).toolCalls[0].output;
    expect(await output(sessionId, 'Use go with {"url": "https://harbour.example"}')).toBe(
      'opened https://harbour.example',
    );
    expect(await output(sessionId, 'Use where')).toBe('at https://harbour.example');
    const next = (await app.request('POST', '/api/sessions', { as: ada, body: { agentId: 'worker' } })).body.session;
    expect(await output(next.id, 'Use where')).toBe('at about:blank');
    expect(server.sessions.size).toBe(2);

    server.sessions.clear();
    expect(await output(sessionId, 'Use where')).toBe('at about:blank');
    await app.request('DELETE', `/api/mcp-servers/${id}`, { as: ada });
    await eventually(async () => expect(server.sessions.size).toBe(0));
    expect(server.ended.length).toBeGreaterThan(0);
    await server.close();
  });
});
