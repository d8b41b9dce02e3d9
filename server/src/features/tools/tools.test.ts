import { createServer } from 'node:http';
import { shownToolName } from '@atelier/contract/tools';
import { beforeEach, describe, expect, it } from 'vitest';
import { storableJson } from '../../platform/storable-json.ts';
import { eventually } from '../../testing/eventually.ts';
import { emptyApp, type TestUser } from '../../testing/harness.ts';
import { closing } from '../../testing/lifetimes.ts';
import { listen } from '../../testing/listen.ts';
import { agents } from '../agents/agents.table.ts';
import { BUILT_IN } from './tools.catalogue.ts';

const ALL = ['calculator', 'current_time', 'run_javascript', 'web_fetch', 'search_memory'];
/** Its prices and hours stand beside the article, in tables, and its encoding is an old one. */
const ROOFER = Buffer.from(
  `<html><head><meta charset="windows-1252"><title>Dächer</title></head><body>
  <aside><table><tr><th>Day</th><th>Opens</th><th>Closes</th></tr><tr><td>Thursday</td><td>08:00</td><td>18:00</td></tr>
  <tr><td>Friday</td><td>08:00</td><td>15:30</td></tr></table></aside>
  <article><h1>Our roofs</h1>${'<p>We have mended roofs for a hundred years, in rain and in snow, and we like it.</p>'.repeat(8)}
  <table><tr><td>Service</td><td>Price</td></tr><tr><td>Roof repair</td><td>480 euros</td></tr></table></article></body></html>`,
  'latin1',
);
let ada: TestUser;
const pages = createServer((request, response) => {
  if (request.url === '/large') {
    response.writeHead(200, { 'content-type': 'text/html' });
    for (let i = 0; i < 64; i += 1) response.write('x'.repeat(64 * 1024));
    return response.end();
  }
  if (request.url === '/picture') return response.writeHead(200, { 'content-type': 'image/png' }).end('x');
  if (request.url === '/roofer') {
    response.writeHead(200, { 'content-type': 'text/html' });
    return response.end(ROOFER);
  }
  if (request.url !== '/tides') return response.writeHead(404).end();
  response.writeHead(200, { 'content-type': 'text/html' });
  response.end('<title>Tides</title><script>steal()</script><nav>Menu</nav><p>High water is at noon on Friday.</p>');
});
const { origin: site } = await closing(listen(pages));
const app = await emptyApp({ env: { FETCH_ALLOWED: '127.0.0.1' } });
beforeEach(async () => {
  ada = await app.signUpPro('Ada');
});

const create = (tools: string[], as = ada) =>
  app.request('POST', '/api/agents', { as, body: { name: 'Helper', prompt: 'You help.', tools } });

async function ask(inputText: string, as = ada) {
  const list = await app.request('GET', '/api/sessions', { as });
  const sessionId = list.body.sessions[0]?.id ?? (await app.startSession(as, 'helper'));
  const answer = await app.request('POST', '/api/runAgentTask', {
    as,
    body: { sessionId, agentId: 'helper', inputText },
  });
  return answer.body.task;
}

describe('the catalogue', () => {
  it('lists every tool with its description', async () => {
    const { body } = await app.request('GET', '/api/tools', { as: ada });
    expect(body.tools.map((tool: { id: string }) => tool.id)).toEqual(expect.arrayContaining(ALL));
    expect(body.tools[0]).toEqual({ id: 'calculator', description: expect.any(String), writes: false, server: null });
  });

  it('has a name for people for each', () => {
    expect(BUILT_IN.filter(({ id }) => shownToolName(id) === id)).toEqual([]);
  });

  it('is what an agent may choose from', async () => {
    expect((await create(['calculator', 'rocket'])).body.error).toMatchObject({
      code: 'invalid_input',
      field: 'tools',
    });
    expect((await create(ALL)).body.agent.tools).toEqual(ALL);
  });
});

describe('without Pro', () => {
  it('nobody adds a tool by hand', async () => {
    const bob = await app.signUp('Bob');
    const added = await create(['calculator'], bob);
    expect([added.status, added.body.error.code]).toEqual([403, 'pro_required']);
    await create([], bob);
    const put = await app.request('PUT', '/api/agents/helper', { as: bob, body: { tools: ['calculator'] } });
    expect([put.status, put.body.error.code]).toEqual([403, 'pro_required']);
  });

  it('the tools of a copy stay where they are and do nothing', async () => {
    const bob = await app.signUp('Bob');
    await create([], bob);
    await app.deps.db.update(agents).set({ tools: ALL });
    const task = await ask('What is 12 * (3 + 4)?', bob);
    expect([task.status, task.toolCalls]).toEqual(['done', []]);
    expect((await app.request('GET', '/api/agents/helper', { as: bob })).body.agent.tools).toEqual(ALL);
    await app.grantPro(bob.uid);
    expect((await ask('What is 12 * (3 + 4)?', bob)).toolCalls).toHaveLength(1);
  });
});

describe('the offline model', () => {
  beforeEach(async () => void (await create(ALL)));

  it('calculates, and the call stays with the task', async () => {
    const task = await ask('What is 12 * (3 + 4)?');
    expect(task.message).toContain('84');
    expect(task.toolCalls).toEqual([
      {
        id: 'call-1',
        name: 'calculator',
        state: 'done',
        input: { expression: '12 * (3 + 4)' },
        output: { expression: '12 * (3 + 4)', value: 84 },
        startedAt: expect.any(String),
        ms: expect.any(Number),
      },
    ]);
    const { body } = await app.request('GET', `/api/sessions/${task.sessionId}/tasks`, { as: ada });
    expect(body.tasks[0].toolCalls).toEqual(task.toolCalls);
  });

  it('shows each call to followers', async () => {
    const task = await ask('What is 6 times 7?');
    const events = await app.request('GET', `/api/sessions/${task.sessionId}/tasks/${task.id}/events`, { as: ada });
    const states = [...events.body.matchAll(/event: tool\ndata: (?<data>.*)/g)].map(
      (match) => JSON.parse(match.groups?.data ?? '').call.state,
    );
    expect(states).toEqual(['running', 'done']);
    expect(task.message).toContain('42');
  });

  it.each([
    ['What time is it in Oslo?', 'current_time', { place: 'Oslo' }, /Europe\/Oslo/],
    ['What is 15% of 80?', 'calculator', { expression: '15/100*80' }, /12/],
    ['Run this:\n```js\nconsole.log(6 * 7)\n```', 'run_javascript', { code: 'console.log(6 * 7)\n' }, /42/],
    ['Use calculator with {"expression": "2^8"}', 'calculator', { expression: '2^8' }, /256/],
    ['Search my memory for otters', 'search_memory', { query: 'otters' }, /otters|nothing/i],
  ])('answers “%s” with %s', async (question, name, input, answer) => {
    const task = await ask(question);
    expect(task.toolCalls).toMatchObject([{ name, input, state: 'done' }]);
    expect(task.message).toMatch(answer);
  });

  it('reads a page', async () => {
    const task = await ask(`When is high water? See ${site}/tides.`);
    expect(task.toolCalls[0]).toMatchObject({ name: 'web_fetch', state: 'done', output: { title: 'Tides' } });
    expect(task.toolCalls[0].output.text).not.toContain('steal');
    expect(task.message).toContain('High water is at noon on Friday');
  });

  it('reads the tables of a page as rows, also those beside the article', async () => {
    const task = await ask(`What does roof repair cost, and when do you close on Friday? See ${site}/roofer`);
    const { text } = task.toolCalls[0].output;
    expect(text).toContain('Roof repair: 480 euros');
    expect(text).toContain('Day: Friday; Opens: 08:00; Closes: 15:30');
    expect(task.message).toContain('Dächer');
  });

  it('finds in its memory what was said in another session', async () => {
    await ask('My boat is called Marlin.');
    const { body } = await app.request('POST', '/api/sessions', { as: ada, body: { agentId: 'helper' } });
    const answer = await app.request('POST', '/api/runAgentTask', {
      as: ada,
      body: { sessionId: body.session.id, agentId: 'helper', inputText: 'Search your memory for boat' },
    });
    expect(JSON.stringify(answer.body.task.toolCalls[0].output)).toContain('Marlin');
  });

  it('calls nothing where nothing is asked of a tool', async () => {
    expect((await ask('My number is 555-1234 and I was born on 1990-05-01.')).toolCalls).toEqual([]);
  });

  it.each([
    ['Run\n```js\nthrow new Error("no luck")\n```', /no luck/],
    ['Use calculator with {"expression": 5}', /does not fit/],
    ['Use calculator with {"expression": "x = 1"}', /can be calculated/],
    ['What time is it in Atlantis?', /not a time zone/],
    ['See http://169.254.169.254/latest/meta-data please', /not on the public internet/],
    ['See http://10.0.0.1/x please', /not on the public internet/],
  ])('goes on and says so where a tool fails: %s', async (question, sentence) => {
    const task = await ask(question);
    expect(task).toMatchObject({ status: 'done', toolCalls: [{ state: 'failed' }] });
    expect(task.toolCalls[0].output).toMatch(sentence);
    expect(task.message).toMatch(/gave no result/);
  });

  it.each([
    ['/large', /larger than 3 MB/],
    ['/picture', /This page has no text/],
    ['/missing', /404/],
  ])('takes no text from %s', async (path, sentence) => {
    expect((await ask(`See ${site}${path} please`)).toolCalls[0]).toMatchObject({
      state: 'failed',
      output: expect.stringMatching(sentence),
    });
  });

  it('stops a program when the person stops the answer', async () => {
    const { body } = await app.request('POST', '/api/sessions', { as: ada, body: { agentId: 'helper' } });
    const at = `/api/sessions/${body.session.id}/tasks`;
    const inputText = 'Run\n```js\nwhile (true) {}\n```';
    const started = await app.request('POST', at, { as: ada, body: { agentId: 'helper', inputText } });
    const task = () => app.request('GET', `${at}/${started.body.task.id}`, { as: ada });
    await eventually(async () => expect((await task()).body.task.toolCalls).toMatchObject([{ state: 'running' }]));
    await app.request('POST', `${at}/${started.body.task.id}/cancel`, { as: ada });
    await eventually(async () => expect((await task()).body.task.status).toBe('cancelled'));
    expect((await task()).body.task.toolCalls).toMatchObject([{ state: 'failed' }]);
  });
});

it('keeps only what the database can hold', () => {
  expect(storableJson({ a: 'x\0y', b: '\ud800!', '\0k': 1, c: '\\u0000', d: undefined })).toEqual({
    a: 'xy',
    b: '!',
    k: 1,
    c: '\\u0000',
  });
  expect(storableJson(undefined)).toBeNull();
  expect(storableJson(10n)).toBe('10');
});
