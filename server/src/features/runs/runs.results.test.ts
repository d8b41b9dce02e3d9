import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { unzipSync } from 'fflate';
import { beforeEach, describe, expect, it } from 'vitest';
import { FOREIGN_CONTENT } from '../../platform/http/headers.ts';
import { eventually } from '../../testing/eventually.ts';
import { emptyApp, type TestUser } from '../../testing/harness.ts';
import { closing, temporaryFolder } from '../../testing/lifetimes.ts';
import { startAskingServer } from '../../testing/mcp/asking-server.ts';
import { workerOf } from '../../testing/mcp/conversation.ts';
import { ASKING, BAD, node, program, serversFile } from '../../testing/mcp/programs.ts';
import { taskEvents } from './runs.table.ts';

let ada: TestUser;
let bob: TestUser;
const { folder } = temporaryFolder('results');
const web = await closing(startAskingServer());
const named = (name: string) => ({ name, description: `Does ${name}.`, inputSchema: { type: 'object' } });
const many = Array.from({ length: 300 }, (_, i) => ({ ...named(`errand-${i}`), description: 'x'.repeat(300) }));
writeFileSync(
  join(folder, 'many.json'),
  JSON.stringify([...many, { ...named('kiln'), description: `Fires a kiln. ${'x'.repeat(400)}` }]),
);
const env = serversFile(folder, {
  all: program('everything', 'stdio'),
  think: program('sequential-thinking'),
  sample: node(BAD, 'sample'),
  many: node(BAD, 'file', join(folder, 'many.json')),
  asks: node(ASKING, 'stdio'),
  asksWeb: { url: web.url },
  asksOld: { url: web.oldUrl, type: 'sse' },
});
const app = await emptyApp({ env });
beforeEach(async () => {
  [ada, bob] = [await app.signUpPro('Ada'), await app.signUpPro('Bob')];
});

const { catalogue, open, start, read, until, ask, approve, askAndAllow } = workerOf(
  () => app,
  () => ada,
);
/** A call in a conversation of its own, where nothing asks because of earlier answers. */
async function use(tool: string, input: object = {}) {
  await app.request('DELETE', '/api/agents/worker', { as: ada });
  return ask(await open([tool]), `Use ${tool} with ${JSON.stringify(input)}`);
}
const address = (task: { id: string; sessionId: string }, rest: string) =>
  `/api/sessions/${task.sessionId}/tasks/${task.id}/${rest}`;

describe('what a tool answers', () => {
  it('as a picture is kept with the task, for its owner only, and goes with it', async () => {
    const task = await use('all__get-tiny-image');
    const [call] = task.toolCalls;
    expect(call).toMatchObject({ state: 'done', media: [{ type: 'image/png' }] });
    expect(call.output).toMatch(/\[picture 1, image\/png, \d+ KB: shown to the person\]/);
    const path = address(task, `media/${call.media[0].id}`);
    const picture = await app.app.request(`http://localhost${path}`, { headers: { cookie: ada.cookie } });
    expect(picture.status).toBe(200);
    expect(Object.fromEntries(picture.headers)).toMatchObject({
      'content-type': 'image/png',
      'content-disposition': 'attachment; filename="answer"',
      'x-content-type-options': 'nosniff',
      'content-security-policy': FOREIGN_CONTENT,
    });
    const bytes = new Uint8Array(await picture.arrayBuffer());
    expect([...bytes.subarray(1, 4)]).toEqual([...Buffer.from('PNG')]);
    expect((await app.request('GET', path, { as: bob })).status).toBe(404);
    expect((await app.request('GET', address(task, 'media/nothing'), { as: ada })).status).toBe(404);

    const archive = await app.app.request('http://localhost/api/export', { headers: { cookie: ada.cookie } });
    const files = unzipSync(new Uint8Array(await archive.arrayBuffer()));
    expect(files[`tool-files/${call.media[0].id}.png`]).toEqual(bytes);
  });

  it('as data, links and resources is kept as that', async () => {
    const structured = (await use('all__get-structured-content', { location: 'Chicago' })).toolCalls[0];
    expect(structured.structured).toMatchObject({ temperature: expect.any(Number), conditions: expect.any(String) });
    const links = (await use('all__get-resource-links', { count: 2 })).toolCalls[0];
    expect(links.links).toHaveLength(2);
    expect(links.links[0]).toMatchObject({ uri: expect.stringMatching(/^\w+:/), name: expect.any(String) });
    const text = (await use('all__get-resource-reference', { resourceType: 'Text', resourceId: 1 })).toolCalls[0];
    expect(text.output).toMatch(/\[resource \S+\]\n/);
    const blob = (await use('all__get-resource-reference', { resourceType: 'Blob', resourceId: 2 })).toolCalls[0];
    expect(blob.media).toMatchObject([{ name: expect.stringMatching(/^\w+:/) }]);
    const thought = { thought: 'Kiln first.', thoughtNumber: 1, totalThoughts: 1, nextThoughtNeeded: false };
    expect((await use('think__sequentialthinking', thought)).toolCalls).toMatchObject([{ state: 'done' }]);
  });

  it('step by step is shown as it comes', async () => {
    const task = await use('all__trigger-long-running-operation', { duration: 1, steps: 4 });
    expect(task.toolCalls).toMatchObject([{ state: 'done' }]);
    expect(task.toolCalls[0].progress).toBeUndefined();
    const events = await app.deps.db.select().from(taskEvents);
    const shown = events.flatMap(({ data }) => (JSON.stringify(data).includes('"progress"') ? [data] : []));
    expect(shown[0]).toMatchObject({ call: { state: 'running', progress: { done: 1, total: 4 } } });
  });
});

describe('a server that asks back', () => {
  it('has its question shown in the conversation, and gets the person’s answer', async () => {
    const sessionId = await open(['all__trigger-elicitation-request']);
    const task = await start(sessionId, 'Use trigger-elicitation-request');
    await until(task, 'waiting');
    await approve(task, { callId: 'call-1', decision: 'once' });
    const asks = async () => (await read(task)).toolCalls[0].asks;
    await eventually(async () => expect(await asks()).toBeDefined());
    const { id, fields, server } = await asks();
    expect(server).toBe('all');
    expect(new Set(fields.map(({ type }: { type: string }) => type))).toEqual(
      new Set(['text', 'yes_no', 'email', 'url', 'date', 'number', 'choice', 'choices']),
    );
    const answer = (body: object, as: TestUser | undefined = ada) =>
      app.request('POST', address(task, 'answer'), { as, body });
    expect((await approve(task, { callId: 'call-1', decision: 'once' })).status).toBe(409);
    expect((await answer({ id, action: 'accept' })).body.error).toMatchObject({ code: 'invalid_input', field: 'name' });
    expect((await answer({ id, action: 'maybe' })).status).toBe(400);
    expect((await answer({ id: 'call-1/9', action: 'decline' })).status).toBe(409);
    expect((await answer({ id, action: 'accept', content: { name: 'Bob' } }, bob)).status).toBe(404);
    const given = { id, action: 'accept', content: { name: 'Ada of Faro', check: true } };
    const answers = await Promise.all([answer(given), answer(given)]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([202, 409]);
    const done = await until(task, 'done');
    expect(done.toolCalls).toMatchObject([{ state: 'done', output: expect.stringContaining('Ada of Faro') }]);
    expect(done.toolCalls[0].asks).toBeUndefined();
  });

  it.each(['asks', 'asksWeb', 'asksOld'])(
    'is heard while %s works for another session, and its form is checked',
    async (name) => {
      const file = join(folder, `${name}.there`);
      const bobs = workerOf(
        () => app,
        () => bob,
      );
      const wait = `Use wait with ${JSON.stringify({ file })}`;
      const long = await bobs.start(await bobs.open([`${name}__wait`]), wait);
      await eventually(async () => expect((await bobs.read(long)).toolCalls).toMatchObject([{ state: 'running' }]));
      const task = await start(await open([`${name}__ask`]), 'Use ask');
      const waiting = await until(task, 'waiting');
      const { id, fields } = waiting.toolCalls[0].asks;
      const both = (values: string[], labels: string[]) => values.map((value, i) => ({ value, label: labels[i] }));
      expect(fields).toMatchObject([
        { name: 'code', required: true, least: 3, most: 8, pattern: '^[A-Z]+-\\d+$' },
        { name: 'mail', type: 'email', required: false },
        { name: 'when', type: 'date_time' },
        { name: 'guests', type: 'number', whole: true, least: 1, most: 4 },
        { name: 'berth', type: 'choice', options: both(['n', 's'], ['North', 'South']) },
        { name: 'tide', type: 'choice', options: both(['h', 'l'], ['High', 'Low']) },
        { name: 'extras', type: 'choices', most: 1, options: both(['w', 'p'], ['Water', 'Power']) },
      ]);
      const good = { code: 'AB-1', mail: 'ada@faro.example', when: '2026-11-26T12:00:00Z', guests: 2, extras: ['w'] };
      const answer = (content: object) =>
        app.request('POST', address(task, 'answer'), { as: ada, body: { id, action: 'accept', content } });
      for (const [field, value] of [
        ['code', 'A'],
        ['code', 'ABCDEFGHI'],
        ['code', 'ab-1'],
        ['code', 5],
        ['mail', 'ada'],
        ['when', 'tomorrow'],
        ['guests', 0],
        ['guests', 5],
        ['guests', 1.5],
        ['guests', '2'],
        ['berth', 'North'],
        ['tide', ['h']],
        ['extras', ['w', 'p']],
        ['extras', ['x']],
        ['crew', 'x'],
      ] as const) {
        const { status, body } = await answer({ ...good, [field]: value });
        expect([field, value, status, body.error?.field]).toEqual([field, value, 400, field]);
      }
      expect((await answer(good)).status).toBe(202);
      const [{ output }] = (await until(task, 'done')).toolCalls;
      expect(JSON.parse(output)).toEqual({ action: 'accept', content: good });
      expect((await bobs.read(long)).toolCalls).toMatchObject([{ state: 'running' }]);
      writeFileSync(file, '');
      expect((await bobs.until(long, 'done')).toolCalls).toMatchObject([{ output: 'waited' }]);
    },
  );

  it('can’t hold up anybody by the pattern of a field', async () => {
    const form = { type: 'object', properties: { code: { type: 'string', pattern: '^(a+)+$' } } };
    const task = await start(await open(['asks__ask']), `Use ask with ${JSON.stringify({ form })}`);
    const { id } = (await until(task, 'waiting')).toolCalls[0].asks;
    const content = { code: `${'a'.repeat(60)}!` };
    const body = { id, action: 'accept', content };
    // What can’t be tried is left to the server.
    expect((await app.request('POST', address(task, 'answer'), { as: ada, body })).status).toBe(202);
    expect((await until(task, 'done')).toolCalls).toMatchObject([{ state: 'done' }]);
  });

  it('and refuses an answer is asked again with what was given', async () => {
    const properties = { code: { type: 'string' }, guests: { type: 'integer', maximum: 4 }, crew: { type: 'boolean' } };
    const input = { form: { type: 'object', properties }, times: 2 };
    const task = await start(await open(['asks__ask']), `Use ask with ${JSON.stringify(input)}`);
    const answer = (id: string, content: object) =>
      app.request('POST', address(task, 'answer'), { as: ada, body: { id, action: 'accept', content } });
    const { id } = (await until(task, 'waiting')).toolCalls[0].asks;
    await answer(id, { code: 'AB-1', crew: true });
    await eventually(async () => expect((await read(task)).toolCalls[0].asks?.id).toMatch(/\/2$/));
    const { id: again, fields } = (await read(task)).toolCalls[0].asks;
    expect(fields).toMatchObject([{ value: 'AB-1' }, { name: 'guests' }, { value: true }]);
    await answer(again, { code: 'AB-2' });
    expect((await until(task, 'done')).toolCalls).toMatchObject([{ output: expect.stringContaining('AB-2') }]);
  });

  it('is told in words that it may not use the model', async () => {
    const task = await use('sample__act');
    expect(task.toolCalls).toMatchObject([
      { output: expect.stringContaining('Servers may not use the models of this installation.') },
    ]);
  });
});

it('a tool that works only as a task is listed with the reason, and offered to no model', async () => {
  expect((await catalogue()).find(({ id }) => id === 'asks__task')?.off).toMatch(/only as a task/);
  expect((await use('asks__task')).toolCalls).toEqual([]);
});

it('tools that don’t fit can be searched and called, and the run says which they were', async () => {
  const sessionId = await open(['many__*', 'gone__tool-that-was']).catch(() => null);
  expect(sessionId).toBeNull();
  await app.request('DELETE', '/api/agents/worker', { as: ada });
  const there = await open(['many__*']);
  const found = await ask(there, 'Use find_tools with {"query": "fire my kiln"}');
  expect(found.toolCalls).toMatchObject([
    { name: 'find_tools', state: 'done', output: { tools: [{ name: 'many__kiln' }] } },
  ]);
  expect(found.toolsLeftOut.length).toBeGreaterThan(100);
  expect(found.toolsLeftOut).toContainEqual({ id: 'many__kiln', why: 'room' });
  const called = await askAndAllow(there, 'Use call_tool with {"name": "many__kiln", "input": {"cone": 6}}');
  expect(called.toolCalls).toMatchObject([
    { name: 'many__kiln', state: 'done', input: { cone: 6 }, output: expect.stringMatching(/^done/) },
  ]);
  const unknown = await ask(there, 'Use call_tool with {"name": "many__oven", "input": {}}');
  expect(unknown.toolCalls).toMatchObject([
    { name: 'call_tool', state: 'failed', output: expect.stringContaining('no tool “many__oven”') },
  ]);
});
