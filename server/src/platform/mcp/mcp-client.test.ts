import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { isNightly } from '../../testing/effort.ts';
import { closing, temporaryFolder } from '../../testing/lifetimes.ts';
import { startAskingServer } from '../../testing/mcp/asking-server.ts';
import { startMcpServer } from '../../testing/mcp/http-server.ts';
import { ASKING, node } from '../../testing/mcp/programs.ts';
import { connectHttp, connectStdio } from './mcp-client.ts';
import type { McpCall } from './mcp-connection.ts';
import { plainReason } from './plain-reason.ts';

const NEVER = new AbortController().signal;
const { folder } = temporaryFolder('odd');
const web = await closing(startAskingServer());
const ways = await Promise.all([
  closing(connectStdio({ ...node(ASKING, 'stdio'), env: {}, folder }, NEVER)),
  closing(connectHttp({ url: web.url, headers: {}, fetchFrom: fetch })),
  closing(connectHttp({ url: web.oldUrl, headers: {}, fetchFrom: fetch }, 'sse')),
]);

const UNKNOWN = '[part of an unknown kind]';
const ok = { type: 'text', text: 'ok' };
const beside = (...parts: unknown[]) => ({ content: [ok, ...parts] });
const text = (words: string) => ({ type: 'text', text: words });
const png = Buffer.from('a picture').toString('base64');
const data = { boats: [{ name: 'Gull', length: 9 }], tide: null };
const zod = [
  { code: 'invalid_type', path: ['a', 0], message: 'Expected number' },
  { code: 'custom', message: 'No' },
];
const ajv = [{ instancePath: '/a', keyword: 'type', schemaPath: '#/a', message: 'must be number' }];

/** What a server answers, and what the model reads of it. */
const ANSWERS: [string, unknown, string][] = [
  ['a part of another kind', beside({ type: 'video', data: png }), `ok\n${UNKNOWN}`],
  ['null as a part', beside(null), `ok\n${UNKNOWN}`],
  ['a number as a part', beside(7), `ok\n${UNKNOWN}`],
  ['a list as a part', beside([ok]), `ok\n${UNKNOWN}`],
  ['a part without a kind', beside({ text: 'lost' }), `ok\n${UNKNOWN}`],
  ['a number as a text', beside({ type: 'text', text: 5 }), `ok\n${UNKNOWN}`],
  ['null as a text', beside({ type: 'text', text: null }), `ok\n${UNKNOWN}`],
  ['a text without a text', beside({ type: 'text' }), `ok\n${UNKNOWN}`],
  ['a kind in capitals', beside({ type: 'Text', text: 'x' }), `ok\n${UNKNOWN}`],
  ['a call of a tool as a part', beside({ type: 'tool_use', id: '1', name: 'x', input: {} }), `ok\n${UNKNOWN}`],
  ['a bare text as a part', beside('plain words'), 'ok\nplain words'],
  ['a text with null beside', beside({ ...text('x'), annotations: null, _meta: null }), 'ok\nx'],
  ['a text with odd annotations', beside({ ...text('x'), annotations: { priority: 'high' } }), 'ok\nx'],
  [
    'a picture',
    beside({ type: 'image', data: png, mimeType: 'image/png' }),
    'ok\n[picture 1, image/png, 1 KB: shown to the person]',
  ],
  [
    'a picture without a type',
    beside({ type: 'image', data: png }),
    'ok\n[picture 1, application/octet-stream, 1 KB: shown to the person]',
  ],
  [
    'a picture as an address of data',
    beside({ type: 'image', data: `data:image/png;base64,${png}`, mimeType: 'image/png' }),
    'ok\n[picture 1, image/png, 1 KB: shown to the person]',
  ],
  [
    'a picture that is no base64',
    beside({ type: 'image', data: '<svg>', mimeType: 'image/svg+xml' }),
    `ok\n${UNKNOWN}`,
  ],
  ['a picture without data', beside({ type: 'image', data: '', mimeType: 'image/png' }), `ok\n${UNKNOWN}`],
  [
    'a sound with parameters',
    beside({ type: 'audio', data: png, mimeType: 'audio/L16; rate=24000' }),
    'ok\n[sound 1, audio/l16, 1 KB: shown to the person]',
  ],
  [
    'a link',
    beside({ type: 'resource_link', uri: 'file:///a', name: 'A', description: 'Of boats.' }),
    'ok\n[link to “A”: file:///a] Of boats.',
  ],
  [
    'a link without a name',
    beside({ type: 'resource_link', uri: 'file:///a', description: null }),
    'ok\n[link to “file:///a”: file:///a]',
  ],
  ['a link to nowhere', beside({ type: 'resource_link', name: 'A' }), `ok\n${UNKNOWN}`],
  [
    'a resource of text',
    beside({ type: 'resource', resource: { uri: 'file:///a', text: 'words' } }),
    'ok\n[resource file:///a]\nwords',
  ],
  [
    'a resource without an address',
    beside({ type: 'resource', resource: { text: 'words', mimeType: null } }),
    'ok\n[resource ]\nwords',
  ],
  [
    'a resource of bytes',
    beside({ type: 'resource', resource: { uri: 'file:///a', blob: png } }),
    'ok\n[file 1, application/octet-stream, 1 KB: shown to the person]',
  ],
  ['a resource without contents', beside({ type: 'resource', resource: { uri: 'file:///a' } }), `ok\n${UNKNOWN}`],
  ['null as a resource', beside({ type: 'resource', resource: null }), `ok\n${UNKNOWN}`],
  ['data beside a summary', { content: [text('1 boat')], structuredContent: data }, `1 boat\n${JSON.stringify(data)}`],
  [
    'data that a text says',
    { content: [text(JSON.stringify(data, null, 2))], structuredContent: data },
    JSON.stringify(data, null, 2),
  ],
  [
    'data that a text says in another order',
    { content: [text('{"b":1,"a":2}')], structuredContent: { a: 2, b: 1 } },
    '{"b":1,"a":2}',
  ],
  ['data that a text says nearly', { content: [text('{"a":2}')], structuredContent: { a: 3 } }, '{"a":2}\n{"a":3}'],
  ['data without parts', { content: [], structuredContent: data }, JSON.stringify(data)],
  ['data without a list of parts', { structuredContent: data }, JSON.stringify(data)],
  [
    'data with null for parts',
    { content: null, structuredContent: data, isError: null, _meta: null },
    JSON.stringify(data),
  ],
  ['a text as data, said already', { content: [text('ahoy')], structuredContent: { result: 'ahoy' } }, 'ahoy'],
  ['a list as data, said already', { content: [text('1'), text('2')], structuredContent: { result: [1, 2] } }, '1\n2'],
  ['a list as data', { content: [text('two')], structuredContent: [1, 2] }, 'two\n[1,2]'],
  ['null as data', { content: [ok], structuredContent: null }, 'ok'],
  [
    'data nested too deeply',
    { content: [ok], structuredContent: JSON.parse(`${'{"a":'.repeat(2_000)}1${'}'.repeat(2_000)}`) },
    'ok\n[data that is nested too deeply]',
  ],
  ['an answer of the first protocol', { toolResult: data }, JSON.stringify(data)],
  ['words of the first protocol', { toolResult: 'ahoy' }, 'ahoy'],
  ['a bare text', 'ahoy', 'ahoy'],
  ['a bare list', [1, 2], '[1,2]'],
  ['null', null, UNKNOWN],
  ['nothing', {}, UNKNOWN],
  ['something else', { answer: 42 }, UNKNOWN],
  ['no parts', { content: [] }, ''],
  [
    'a dump of Zod',
    { content: [text(`Bad arguments: ${JSON.stringify(zod, null, 2)}`)], isError: true },
    'Bad arguments: a.0: Expected number; No',
  ],
  ['a dump of Ajv', { content: [text(JSON.stringify(ajv))], isError: true }, 'a: must be number'],
  [
    'a dump within an error',
    { content: [text(JSON.stringify({ name: 'ZodError', message: JSON.stringify(zod) }))], isError: true },
    'a.0: Expected number; No',
  ],
  [
    'half of a dump',
    { content: [text(`Bad: ${JSON.stringify(zod).slice(0, 60)}`)], isError: true },
    'Bad: it doesn’t have the form that was described',
  ],
  [
    'an error with data of its own',
    { content: [text('{"code":5,"message":"late"}')], isError: true },
    '{"code":5,"message":"late"}',
  ],
];

describe('an answer of a tool', () => {
  it.each(ANSWERS)('that is %s is read', async (_what, result, read) => {
    for (const way of ways) expect((await way.call('odd', { result }, { signal: NEVER })).text).toBe(read);
  });

  it.each([
    ['no list of parts', { content: 'no' }],
    ['a list of lists', { content: { 0: ok } }],
  ])('that is %s fails with a sentence', async (_what, result) => {
    for (const way of ways)
      await expect(way.call('odd', { result }, { signal: NEVER })).rejects.toThrow(
        'The server failed: its answer can’t be read.',
      );
  });

  it('that is cut at any byte fails with a reason in words, or is whole', async () => {
    const cutting: typeof fetch = async (target, init) => {
      const response = await fetch(target, init);
      const cut = /"cut":(?<at>\d+)/.exec(String(init?.body))?.groups?.at;
      return cut === undefined ? response : new Response((await response.text()).slice(0, Number(cut)), response);
    };
    const way = await connectHttp({ url: web.url, headers: {}, fetchFrom: cutting });
    const result = { content: [text('ahoy')], isError: false };
    const read = (cut: number) =>
      way.call('odd', { result, cut }, { signal: NEVER }).then(
        (answer) => answer.text,
        (error: Error) => plainReason(error.message),
      );
    const length = `event: message\ndata: ${JSON.stringify({ result, jsonrpc: '2.0', id: 1000 })}\n\n`.length;
    const cuts = Array.from({ length }, (_, at) => at).filter((at) => isNightly || at % 9 === 0 || at > length - 5);
    const found = await Promise.all(cuts.map(read));
    expect(new Set(found)).toEqual(new Set(['it did not answer', 'ahoy']));
    await way.close();
  });

  it('with thousands of odd parts, or of megabytes, is bounded', async () => {
    const [, http] = ways;
    const many = await http?.call('odd', { result: { content: Array(20_000).fill(null) } }, { signal: NEVER });
    expect(many?.text).toMatch(/\n\[18000 more parts\]$/);
    const large = { content: [text('x'.repeat(isNightly ? 10_000_000 : 1_000_000))], structuredContent: { n: 1 } };
    expect((await http?.call('odd', { result: large }, { signal: NEVER }))?.text).toHaveLength(200_000);
  });
});

it('no cut of a dump is shown as one', () => {
  const dump = `Bad: ${JSON.stringify(zod)}`;
  for (let cut = 0; cut < dump.length; cut += 1)
    expect(plainReason(dump.slice(0, cut))).not.toMatch(/invalid_type|"message"/);
});

it('a question that comes while several calls work is asked once, and its call goes on', async () => {
  for (const way of ways) {
    const asked: unknown[] = [];
    const file = join(folder, `there-${ways.indexOf(way)}`);
    const ask: McpCall['ask'] = async ({ schema }) => {
      asked.push(schema);
      writeFileSync(file, '');
      return { action: 'accept', content: { code: 'AB-1' } };
    };
    const waits = way.call('wait', { file }, { signal: NEVER, ask });
    const form = { type: 'object', properties: { code: { type: 'string', pattern: 'x', format: 'phone' } } };
    const asks = way.call('ask', { form }, { signal: NEVER, ask });
    expect((await waits).text).toBe('waited');
    expect((await asks).text).toBe('{"action":"accept","content":{"code":"AB-1"}}');
    expect(asked).toEqual([form]);
  }
});

it.runIf(isNightly)('a process that answers too much ends with a sentence', async () => {
  const server = { ...node(ASKING, 'stdio'), env: {}, folder };
  const other = await connectStdio(server, NEVER);
  const result = { content: [text('x'.repeat(10_000_000))] };
  await expect(other.call('odd', { result }, { signal: NEVER })).rejects.toThrow(
    'The server failed: It sent too much and was ended.',
  );
});

it('a process that greets in another shape says so', async () => {
  const greeting = `process.stdin.once('data', () => console.log('{"jsonrpc":"2.0","id":0,"result":{"tools":7}}'))`;
  const other = connectStdio({ command: process.execPath, args: ['-e', greeting], env: {}, folder }, NEVER);
  await expect(other).rejects.toThrow('Its greeting can’t be read.');
});

it('a process gets the environment that is documented, and nothing else', async () => {
  const [stdio] = ways;
  const { text: names } = (await stdio?.call('environment', {}, { signal: NEVER })) ?? {};
  expect(names?.split(' ').filter((name) => !['HOME', 'PATH'].includes(name))).toEqual([]);
});

it('a call goes over the connection that has just answered, not over one that may have ended unseen', async () => {
  const ports: unknown[] = [];
  const server = await startMcpServer([], 0, ({ socket }) => ports.push(socket.remotePort) === 0);
  const way = await connectHttp({ url: server.url, headers: {}, fetchFrom: fetch });
  // The stream for what the server says unasked may have taken the first one meanwhile.
  await expect.poll(() => ports.length).toBe(3);
  await way.call('act', {}, { signal: NEVER });
  ports.length = 0;
  await way.listTools();
  await way.call('act', {}, { signal: NEVER });
  expect(ports).toEqual([ports[0], ports[0]]);
  await way.close();
  await server.close();
});

it('an answer goes on in another stream where its server says so, and no other stream is opened again', async () => {
  const asked: string[] = [];
  let isCalled = false;
  const answer = { jsonrpc: '2.0', id: 1, result: { content: [text('late')] } };
  const server = await startMcpServer([], 0, (request, response) => {
    if (request.method === 'POST' && !isCalled) return false;
    if (request.method === 'GET') asked.push(String(request.headers['last-event-id']));
    const isResumed = request.headers['last-event-id'] === '7';
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const events = isResumed
      ? `data: ${JSON.stringify(answer)}`
      : `retry: 1\n${request.method === 'POST' ? 'id: 7\n' : ''}data:`;
    return response.end(`${events}\n\n`) !== undefined;
  });
  const way = await connectHttp({ url: server.url, headers: {}, fetchFrom: fetch });
  await expect.poll(() => asked).toEqual(['undefined']);
  isCalled = true;
  expect((await way.call('act', {}, { signal: NEVER })).text).toBe('late');
  expect(asked).toEqual(['undefined', '7']);
  await way.close();
  await server.close();
});

it('a tool that works only as a task can’t be used, and says so', async () => {
  const tools = await ways[0]?.listTools();
  expect(tools?.filter(({ unusable }) => unusable !== undefined)).toMatchObject([
    { name: 'task', unusable: expect.stringContaining('task') },
  ]);
});
