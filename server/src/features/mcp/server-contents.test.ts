import { join } from 'node:path';
import { quoteServer, quotesServer, withoutServerQuotes } from '@atelier/contract/mcp/server-contents';
import { eq } from 'drizzle-orm';
import { beforeEach, describe, expect, it } from 'vitest';
import { eventually } from '../../testing/eventually.ts';
import { emptyApp, type TestUser } from '../../testing/harness.ts';
import { closing, temporaryFolder } from '../../testing/lifetimes.ts';
import { serveMessages } from '../../testing/mcp/http-server.ts';
import { program, serversFile, startEverything } from '../../testing/mcp/programs.ts';
import { tasks } from '../runs/runs.table.ts';

let ada: TestUser;
let bob: TestUser;

const { folder } = temporaryFolder('contents');
const { url: address } = await closing(startEverything('streamableHttp'));
const settings = serversFile(folder, {
  everything: program('everything', 'stdio'),
  files: program('filesystem', folder),
  memory: { ...program('memory'), env: { MEMORY_FILE_PATH: join(folder, 'memory.jsonl') } },
  off: { ...program('memory'), disabled: true },
});
const app = await emptyApp({ env: { ...settings, FETCH_ALLOWED: '127.0.0.1' } });
beforeEach(async () => {
  ada = await app.signUpPro('Ada');
  bob = await app.signUpPro('Bob');
});

const at = (id: string, what: string) => `/api/mcp-servers/${id}/${what}`;
const get = (id: string, what: string, as: TestUser | undefined = ada) => app.request('GET', at(id, what), { as });
const post = (id: string, what: string, body: object, as: TestUser = ada) =>
  app.request('POST', at(id, what), { as, body });
const add = async (url: string) =>
  (await app.request('POST', '/api/mcp-servers', { as: ada, body: { name: 'Mine', url } })).body.server.id as string;
const named = (all: { name: string }[], name: string) => all.find((one) => one.name === name);

describe('a third party’s server', () => {
  it.each(['the operator’s', 'one’s own'])('is browsed and read: %s', async (whose) => {
    const id = whose === 'one’s own' ? await add(address) : 'everything';
    const listed = await get(id, 'resources');
    expect(listed.status).toBe(200);
    const [first] = listed.body.resources;
    expect(first).toMatchObject({ uri: expect.stringContaining('demo://') });
    expect(listed.body.templates).toContainEqual(
      expect.objectContaining({ template: 'demo://resource/dynamic/text/{resourceId}', variables: ['resourceId'] }),
    );
    const read = await post(id, 'resources/read', { uri: first.uri });
    expect(read.body.content).toMatchObject({ cut: false, left: [] });
    expect(read.body.content.text.length).toBeGreaterThan(10);
    const filled = await post(id, 'resources/read', { uri: 'demo://resource/dynamic/text/7' });
    expect(filled.body.content.text).toContain('7');
    const bytes = await post(id, 'resources/read', { uri: 'demo://resource/dynamic/blob/7' });
    const [file] = bytes.body.content.files;
    expect(bytes.body.content).toEqual({ text: '', cut: false, left: [], files: [file] });
    expect(file).toMatchObject({ name: '7.txt', type: 'text/plain' });
    expect(Buffer.from(file.base64, 'base64').toString()).toContain('Resource 7');

    const { prompts } = (await get(id, 'prompts')).body;
    expect(named(prompts, 'args-prompt')).toMatchObject({
      arguments: [
        expect.objectContaining({ name: 'city', required: true }),
        expect.objectContaining({ name: 'state' }),
      ],
    });
    const got = await post(id, 'prompts/get', { name: 'args-prompt', arguments: { city: 'Faro' } });
    expect(got.body.content.text).toContain('Faro');
    expect((await post(id, 'prompts/get', { name: 'simple-prompt' })).body.content.text.length).toBeGreaterThan(5);
  });

  it('refuses in its own words', async () => {
    for (const [what, body] of [
      ['resources/read', { uri: 'demo://nothing/here' }],
      ['prompts/get', { name: 'no-such-prompt' }],
      ['prompts/get', { name: 'args-prompt', arguments: {} }],
    ] as const) {
      const refused = await post('everything', what, body);
      expect(refused.status, what).toBe(400);
      expect(refused.body.error.message).toMatch(/^The server refused this\. It says: “.+”$/su);
    }
  });

  it.each(['files', 'memory'])('has nothing to read: %s', async (id) => {
    expect((await get(id, 'resources')).body).toMatchObject({ resources: expect.any(Array), more: false });
    expect((await get(id, 'prompts')).body).toEqual({ prompts: [], more: false });
  });
});

it('lists whose contents may be read', async () => {
  const id = await add(address);
  const mine = (await app.request('GET', '/api/mcp-servers/readable', { as: ada })).body.servers;
  expect(mine.map(({ id: one }: { id: string }) => one)).toEqual([id, 'everything', 'files', 'memory']);
  expect(mine[0]).toMatchObject({ name: 'Mine', key: expect.stringMatching(/^s[0-9a-f]{8}$/) });
  const others = (await app.request('GET', '/api/mcp-servers/readable', { as: bob })).body.servers;
  expect(others).toHaveLength(3);
});

describe('nobody else reads', () => {
  const calls = [
    ['GET', 'resources', undefined],
    ['GET', 'prompts', undefined],
    ['POST', 'resources/read', { uri: 'demo://x' }],
    ['POST', 'prompts/get', { name: 'x' }],
  ] as const;

  it('without Pro, or at a server of somebody else', async () => {
    const id = await add(address);
    const eve = await app.signUp('Eve');
    for (const [method, what, body] of calls) {
      const ask = (as: TestUser, server: string) => app.request(method, at(server, what), { as, body });
      expect((await ask(eve, 'everything')).status).toBe(403);
      for (const server of [id, 'off', 'nobody', '__proto__']) expect((await ask(bob, server)).status).toBe(404);
    }
  });

  it.each([
    ['resources/read', {}],
    ['resources/read', { uri: '' }],
    ['resources/read', { uri: 'x'.repeat(2_001) }],
    ['resources/read', { uri: 'a\0b' }],
    ['resources/read', { uri: 'demo://x', more: 1 }],
    ['prompts/get', { name: '' }],
    ['prompts/get', { name: 'x', arguments: { a: 1 } }],
    ['prompts/get', { name: 'x', arguments: { a: 'x'.repeat(4_001) } }],
    ['prompts/get', { name: 'x', arguments: Object.fromEntries(Array.from({ length: 21 }, (_, i) => [`a${i}`, ''])) }],
  ])('nonsense: %s %o', async (what, body) => {
    expect((await post('everything', what, body)).status).toBe(400);
  });
});

it('answers two that ask at once', async () => {
  const id = await add(address);
  const [resources, prompts] = await Promise.all([get(id, 'resources'), get(id, 'prompts')]);
  expect([resources.status, prompts.status]).toEqual([200, 200]);
});

describe('a bad server', () => {
  const results: Record<string, unknown> = {
    'resources/read': { contents: [{ uri: 'x', text: `${'x'.repeat(30_000)}` }] },
    'resources/list': {
      resources: [
        { uri: 5 },
        { uri: 'a\0b', name: null },
        { uri: 'c', name: 'no\u202Ete\u{E0061}s', title: '\u3164' },
        ...Array.from({ length: 600 }, (_, i) => ({ uri: `x:${i}` })),
      ],
      nextCursor: 'again',
    },
    'resources/templates/list': { resourceTemplates: [{ uriTemplate: 'x:{?a*}', name: 'n' }] },
    'prompts/list': { prompts: 'none' },
    'prompts/get': { messages: [{ role: 'user', content: { type: 'image', mimeType: 'image/png', data: '' } }] },
    'tools/list': { tools: [{ name: 't', inputSchema: { type: 'object' } }] },
    initialize: {
      protocolVersion: '2025-06-18',
      capabilities: { tools: {}, resources: {}, prompts: {} },
      serverInfo: { name: 'bad', version: '1' },
    },
  };

  it('is read within bounds, and its faults are told apart', async () => {
    const server = await serveMessages(
      async ({ id, method }) => ({ jsonrpc: '2.0', id, result: results[method] ?? {} }),
      {
        port: 0,
      },
    );
    const id = await add(server.url);
    const { body } = await get(id, 'resources');
    expect(body.resources).toHaveLength(500);
    expect(body.resources[0]).toEqual({ uri: 'ab', name: 'ab', description: '', type: '' });
    expect(body.resources[1].name).toBe('notes');
    expect(body).toMatchObject({ more: true, templates: [{ variables: null }] });
    const read = (await post(id, 'resources/read', { uri: 'x' })).body.content;
    expect(read.cut).toBe(true);
    expect(read.text).toHaveLength(20_000);
    expect((await post(id, 'prompts/get', { name: 'x' })).body.content.left).toEqual(['image/png: no text']);
    expect((await get(id, 'prompts')).status).toBe(502);
    await server.close();
    const gone = await get(id, 'resources');
    expect(gone.status).toBe(502);
    expect(gone.body.error.message).toContain('can’t be reached');
  });

  it.each([-32_000, -32_001])('refuses in its own words under a code of the connection: %i', async (code) => {
    const error = { code, message: 'No such resource.' };
    const server = await serveMessages(async ({ id, method }) => {
      const answer = method === 'resources/read' ? { error } : { result: results[method] ?? {} };
      return { jsonrpc: '2.0', id, ...answer };
    });
    const refused = await post(await add(server.url), 'resources/read', { uri: 'x' });
    expect(refused.status).toBe(400);
    expect(refused.body.error.message).toBe('The server refused this. It says: “No such resource.”');
    await server.close();
  });
});

it('quotes line by line, whatever the text does to get out', () => {
  const quote = quoteServer({ server: 'a\n# b', name: 'n', text: 'one\n\r\ntwo\rthree\u2028four\n' });
  expect(quote.split('\n').every((line) => line.startsWith('>'))).toBe(true);
  expect(quotesServer(`Look:\n\n${quote}`)).toBe(true);
  expect(quotesServer('Look: > From the tool server')).toBe(false);
  expect(withoutServerQuotes(`Look:\n\n${quote}\n\nMine.\n> A quotation of mine`)).toBe(
    'Look:\n\n\nMine.\n> A quotation of mine',
  );
  expect(withoutServerQuotes(quote)).toBe('');
});

it('remembers of a message only what the person wrote, and counts as having read words of others', async () => {
  await app.request('POST', '/api/agents', { as: ada, body: { name: 'Reader', prompt: 'You read' } });
  const session = await app.request('POST', '/api/sessions', { as: ada, body: { agentId: 'reader' } });
  const quote = quoteServer({ server: 'Eve', name: 'notes', text: 'My bank account is 1234567.\nI live in Atlantis.' });
  const sent = await app.request('POST', `/api/sessions/${session.body.session.id}/tasks`, {
    as: ada,
    body: { agentId: 'reader', inputText: `My garden has gooseberries.\n\n${quote}` },
  });
  expect(sent.status).toBe(202);
  await eventually(async () => {
    const [task] = await app.deps.db.select().from(tasks).where(eq(tasks.id, sent.body.task.id));
    expect(task).toMatchObject({ status: 'done', readUntrusted: true });
  });
  const { memories } = (await app.request('GET', '/api/memories', { as: ada })).body;
  const said = memories
    .filter(({ kind }: { kind: string }) => kind === 'person')
    .map(({ text }: { text: string }) => text);
  expect(said.join('\n')).toContain('gooseberries');
  expect(said.join('\n')).not.toMatch(/1234567|Atlantis|Eve/);
});
