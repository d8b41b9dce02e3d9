import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { isNightly } from '../../testing/effort.ts';
import { eventually } from '../../testing/eventually.ts';
import { emptyApp, type TestUser } from '../../testing/harness.ts';
import { closing, temporaryFolder } from '../../testing/lifetimes.ts';
import { workerOf } from '../../testing/mcp/conversation.ts';
import { bridgeToHttp } from '../../testing/mcp/http-server.ts';
import { BAD, node, program, serversFile, startEverything } from '../../testing/mcp/programs.ts';
import { mcpServers } from './mcp.table.ts';

let ada: TestUser;
let bob: TestUser;

const { folder } = temporaryFolder('mcp');
const { url: address } = await closing(startEverything('streamableHttp'));
const settings = serversFile(folder, {
  everything: program('everything', 'stdio'),
  files: program('filesystem', folder),
  memory: { ...program('memory'), env: { MEMORY_FILE_PATH: join(folder, 'memory.jsonl') } },
  ...Object.fromEntries(['hang', 'die', 'flood', 'garbage', 'lie', 'silent'].map((how) => [how, node(BAD, how)])),
  missing: { command: '/nowhere/at-all' },
  web: { url: address, headers: { authorization: 'Bearer of the operator' } },
});
const app = await emptyApp({ env: { ...settings, FETCH_ALLOWED: '127.0.0.1' } });
beforeEach(async () => {
  [ada, bob] = [await app.signUpPro('Ada'), await app.signUpPro('Bob')];
});

const { catalogue, open, start, read, until, ask, approve } = workerOf(
  () => app,
  () => ada,
);

/** Calls a tool by its name, and allows it where it asks. */
async function use(sessionId: string, tool: string, input: object) {
  const task = await start(sessionId, `Use ${tool} with ${JSON.stringify(input)}`);
  await eventually(async () => expect(['waiting', 'done']).toContain((await read(task)).status));
  const [call] = (await read(task)).toolCalls;
  if (call?.state === 'waiting') await approve(task, { callId: call.id, decision: 'once' });
  return until(task, 'done');
}

describe('servers of the operator', () => {
  it('offer their tools; those that fail offer none and hurt nobody', async () => {
    const links = app.deps.operatorSources.filter(({ name }) => name !== 'silent');
    await Promise.all(links.map((link) => link.check()));
    const tools = await catalogue();
    const ids = tools.map((tool) => tool.id);
    expect(ids).toEqual(
      expect.arrayContaining(['everything__echo', 'files__read_text_file', 'memory__create_entities', 'hang__act']),
    );
    expect(ids.filter((id) => /^(?:silent|missing)__/.test(id))).toEqual([]);
    expect(ids.filter((id) => id.startsWith('lie__'))).toEqual(['lie__bad-name-12ad77', 'lie__huge', 'lie__number']);
    expect(tools.find((tool) => tool.id.startsWith('lie__bad'))).toMatchObject({ title: 'bad name!' });
    expect(tools.find((tool) => tool.id === 'lie__huge')?.off).toMatch(/too long/);
    expect(tools.find((tool) => tool.id === 'files__read_text_file')).toMatchObject({ writes: false, server: 'files' });
    expect(tools.find((tool) => tool.id === 'files__write_file')).toMatchObject({ writes: true });
  });

  it('of others are called, and what they answer stands with the task', async () => {
    writeFileSync(join(folder, 'note.txt'), 'The boat is called Marlin.');
    const marlin = { name: 'Marlin', entityType: 'boat', observations: ['It is blue.'] };
    const calls: [string, object, RegExp][] = [
      ['everything__echo', { message: 'ahoy' }, /Echo: ahoy/],
      ['everything__get-sum', { a: 2, b: 40 }, /\b42\b/],
      ['everything__get-structured-content', { location: 'Chicago' }, /temperature/],
      ['everything__get-tiny-image', {}, /\[picture 1, image\/png, \d+ KB: shown to the person\]/],
      ['files__read_text_file', { path: join(folder, 'note.txt') }, /Marlin/],
      ['memory__create_entities', { entities: [marlin] }, /Marlin/],
      ['memory__read_graph', {}, /It is blue\./],
      ['web__echo', { message: 'over HTTP' }, /Echo: over HTTP/],
    ];
    const sessionId = await open(calls.map(([tool]) => tool));
    for (const [tool, input, answer] of calls) {
      const task = await use(sessionId, tool, input);
      expect(task.toolCalls).toMatchObject([{ name: tool, state: 'done', output: expect.stringMatching(answer) }]);
      expect(task.message).toMatch(answer);
    }
    expect(readFileSync(join(folder, 'memory.jsonl'), 'utf8')).toContain('It is blue.');
    const wrong: [string, object, RegExp][] = [
      ['files__read_text_file', { path: '/etc/passwd' }, /denied|outside/i],
      ['everything__get-sum', { a: 'two' }, /number/],
    ];
    for (const [tool, input, sentence] of wrong) {
      const task = await use(sessionId, tool, input);
      expect(task.toolCalls).toMatchObject([{ state: 'failed', output: expect.stringMatching(sentence) }]);
    }
  });

  it.each([
    ['die', /failed|reached/],
    ['flood', /failed|reached/],
    ['lie', /failed|answered/],
  ])('that %s fail the call and nothing else', async (how, sentence) => {
    const tool = how === 'lie' ? 'number' : 'act';
    const sessionId = await open([`${how}__${tool}`, 'calculator']);
    const before = process.memoryUsage().rss;
    const waiting = await start(sessionId, `Use ${how}__${tool}`);
    if (how === 'lie') {
      await until(waiting, 'waiting');
      await approve(waiting, { callId: 'call-1', decision: 'once' });
    }
    const task = await until(waiting, 'done');
    expect(task.toolCalls).toMatchObject([{ state: 'failed', output: expect.stringMatching(sentence) }]);
    expect((process.memoryUsage().rss - before) / 1024 / 1024).toBeLessThan(100);
    expect((await ask(sessionId, 'What is 2 + 2?')).message).toContain('4');
  });

  it('that hang or talk nonsense are left behind when the person stops', async () => {
    for (const how of ['hang', 'garbage']) {
      await app.request('DELETE', '/api/agents/worker', { as: ada });
      const sessionId = await open([`${how}__act`]);
      const task = await start(sessionId, `Use ${how}__act`);
      await eventually(async () => expect((await read(task)).toolCalls).toMatchObject([{ state: 'running' }]));
      await app.request('POST', `/api/sessions/${sessionId}/tasks/${task.id}/cancel`, { as: ada });
      expect((await until(task, 'cancelled')).toolCalls).toMatchObject([{ state: 'failed' }]);
    }
  });
});

describe('a tool that writes', () => {
  const write = (name: string) => `Use write_file with ${JSON.stringify({ path: join(folder, name), content: 'hi' })}`;

  it('asks first: allowed once, then for the session, then no more', async () => {
    const sessionId = await open(['files__write_file']);
    const first = await start(sessionId, write('one.txt'));
    expect((await until(first, 'waiting')).toolCalls).toMatchObject([{ id: 'call-1', state: 'waiting' }]);
    expect((await approve(first, { callId: 'call-1', decision: 'once' }, bob)).status).toBe(404);
    expect((await approve(first, { callId: 'nothing', decision: 'once' })).status).toBe(409);
    expect((await approve(first, { callId: 'call-1', decision: 'maybe' })).status).toBe(400);
    const answers = await Promise.all([1, 2, 3].map(() => approve(first, { callId: 'call-1', decision: 'once' })));
    expect(answers.map((a) => a.status).toSorted()).toEqual([202, 409, 409]);
    expect((await until(first, 'done')).toolCalls).toMatchObject([{ state: 'done' }]);
    expect(readFileSync(join(folder, 'one.txt'), 'utf8')).toBe('hi');

    const second = await start(sessionId, write('two.txt'));
    await until(second, 'waiting');
    await approve(second, { callId: 'call-1', decision: 'session' });
    await until(second, 'done');
    expect((await ask(sessionId, write('three.txt'))).toolCalls).toMatchObject([{ state: 'done' }]);
    const elsewhere = (await app.request('POST', '/api/sessions', { as: ada, body: { agentId: 'worker' } })).body
      .session;
    await until(await start(elsewhere.id, write('four.txt')), 'waiting');
  });

  it('does nothing where it is denied, or where the person stops', async () => {
    const sessionId = await open(['files__write_file']);
    const denied = await start(sessionId, write('denied.txt'));
    await until(denied, 'waiting');
    await approve(denied, { callId: 'call-1', decision: 'deny' });
    expect((await until(denied, 'done')).toolCalls).toMatchObject([
      { state: 'failed', output: expect.stringMatching(/not allow/) },
    ]);
    const stopped = await start(sessionId, write('stopped.txt'));
    await until(stopped, 'waiting');
    await app.request('POST', `/api/sessions/${sessionId}/tasks/${stopped.id}/cancel`, { as: ada });
    await until(stopped, 'cancelled');
    expect((await approve(stopped, { callId: 'call-1', decision: 'once' })).status).toBe(409);
    expect(() => readFileSync(join(folder, 'denied.txt'))).toThrow();
    expect(() => readFileSync(join(folder, 'stopped.txt'))).toThrow();
  });
});

describe('a server of one’s own', () => {
  const add = (body: object, as: TestUser | undefined = ada) => app.request('POST', '/api/mcp-servers', { as, body });

  it('is added over HTTP, used after asking, seen by nobody else, and removed', async () => {
    const added = await add({ name: 'Everything', url: address });
    expect([added.status, added.body.error]).toEqual([201, undefined]);
    const { server } = added.body;
    const echo = server.tools.find((tool: { id: string }) => tool.id.endsWith('__echo'));
    expect(echo).toMatchObject({ writes: true, server: 'Everything' });
    expect((await catalogue(bob)).some((tool) => tool.id === echo.id)).toBe(false);
    expect(
      (await app.request('POST', '/api/agents', { as: bob, body: { name: 'W', prompt: 'x', tools: [echo.id] } }))
        .status,
    ).toBe(400);
    expect((await app.request('DELETE', `/api/mcp-servers/${server.id}`, { as: bob })).status).toBe(404);
    const approval = { as: bob, body: { seen: 'x' } };
    expect((await app.request('POST', `/api/mcp-servers/${server.id}/approve`, approval)).status).toBe(404);

    const sessionId = await open([echo.id]);
    const task = await start(sessionId, `Use ${echo.id} with {"message": "ahoy"}`);
    await until(task, 'waiting');
    await approve(task, { callId: 'call-1', decision: 'once' });
    expect((await until(task, 'done')).message).toContain('ahoy');

    expect((await app.request('DELETE', `/api/mcp-servers/${server.id}`, { as: ada })).status).toBe(204);
    expect((await ask(sessionId, `Use ${echo.id} with {"message": "ahoy"}`)).toolCalls).toEqual([]);
  });

  // By day the servers of the operator and the one above speak for them.
  it.runIf(isNightly)('may be any that speaks over HTTP', async () => {
    writeFileSync(join(folder, 'log.txt'), 'The tide is high.');
    const gull = { name: 'Gull', entityType: 'bird', observations: ['It cries.'] };
    const bridges = await Promise.all([
      bridgeToHttp(program('filesystem', folder)),
      bridgeToHttp(program('memory'), { MEMORY_FILE_PATH: join(folder, 'own.jsonl') }),
    ]);
    try {
      const [files, memory] = await Promise.all(
        bridges.map(async ({ url }, i) => (await add({ name: `Number ${i}`, url })).body.server.tools),
      );
      const id = (tools: { id: string }[], name: string) => tools.find((t) => t.id.endsWith(`__${name}`))?.id ?? '';
      const calls: [string, object, RegExp][] = [
        [id(files, 'read_text_file'), { path: join(folder, 'log.txt') }, /The tide is high/],
        [id(memory, 'create_entities'), { entities: [gull] }, /Gull/],
        [id(memory, 'read_graph'), {}, /It cries\./],
      ];
      const sessionId = await open(calls.map(([tool]) => tool));
      for (const [tool, input, answer] of calls) {
        const task = await use(sessionId, tool, input);
        expect(task.toolCalls).toMatchObject([{ name: tool, state: 'done', output: expect.stringMatching(answer) }]);
      }
      expect(bridges.flatMap(({ headers }) => headers).some((h) => 'cookie' in h || 'authorization' in h)).toBe(false);
    } finally {
      await Promise.all(bridges.map((bridge) => bridge.close()));
    }
  });

  it.each([
    ['http://127.0.0.2:9/mcp', /not on the public internet/],
    ['http://169.254.169.254/mcp', /not on the public internet/],
    ['http://[::1]:1/mcp', /not on the public internet/],
    ['http://[::ffff:127.0.0.1]:1/mcp', /not on the public internet/],
    ['http://10.0.0.1/mcp', /not on the public internet/],
    // The operator opened this one, and nobody is there.
    ['http://127.0.0.1:9/mcp', /nothing answers/],
    ['file:///etc/passwd', /http/],
    ['nonsense', /http/],
  ])('is not added from %s', async (url, sentence) => {
    const { status, body } = await add({ name: 'X', url });
    expect([status, body.error.message]).toEqual([400, expect.stringMatching(sentence)]);
    expect(await app.deps.db.select().from(mcpServers)).toEqual([]);
  });

  it('is for Pro only, and never a command', async () => {
    const eve = await app.signUp('Eve');
    for (const [method, path] of [
      ['GET', ''],
      ['POST', ''],
      ['POST', '/x/approve'],
      ['DELETE', '/x'],
    ] as const) {
      const body = method === 'POST' ? { name: 'X', url: address } : undefined;
      expect((await app.request(method, `/api/mcp-servers${path}`, { as: eve, body })).status).toBe(403);
    }
    expect((await add({ name: 'X', command: '/bin/sh', args: [] })).status).toBe(400);
    for (const headers of [{ host: 'b' }, { 'a b': 'c' }, { a: 'b\r\nc: d' }, { a: '' }, { a: 'π' }, ['a'], 'a: b'])
      expect((await add({ name: 'X', url: address, headers })).status, JSON.stringify(headers)).toBe(400);
    expect((await add({ name: '', url: address })).status).toBe(400);
  });
});
