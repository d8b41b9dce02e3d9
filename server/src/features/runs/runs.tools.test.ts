import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { STEPS_MAX } from '../../platform/models/models.ts';
import { countTokens } from '../../platform/models/tokens.ts';
import { type FakeRequest, startFakeOpenAI } from '../../testing/fake-openai.ts';
import { emptyApp, type TestApp, type TestUser, testApp } from '../../testing/harness.ts';
import { closing } from '../../testing/lifetimes.ts';
import { startMcpServer } from '../../testing/mcp/http-server.ts';
import { CALLS_MAX } from './engine/tool-calls.service.ts';

let ada: TestUser;
const provider = await closing(startFakeOpenAI());
const app = await emptyApp({ env: { OPENAI_BASE_URL: provider.url, OPENAI_API_KEY: 'sk-tools' } });
beforeEach(async () => {
  provider.reset();
  ada = await app.signUpPro();
});

const TOOLS = ['calculator', 'current_time', 'run_javascript'];

async function run(on = app, inputText = 'Go', tools = TOOLS) {
  const body = { name: 'Helper', prompt: 'You help.', tools };
  await on.request('POST', '/api/agents', { as: ada, body });
  const { session } = (await on.request('POST', '/api/sessions', { as: ada, body: { agentId: 'helper' } })).body;
  const input = { sessionId: session.id, agentId: 'helper', inputText };
  return (await on.request('POST', '/api/runAgentTask', { as: ada, body: input })).body.task;
}

/** The requests of the run itself; the title's have no tools. */
const conversation = () => provider.requests.filter(({ body }) => body.tools !== undefined);
const toldOf = (request: FakeRequest | undefined) =>
  request?.body.messages?.filter(({ role }) => role === 'tool').map(({ content }) => String(content)) ?? [];

const sum = { name: 'calculator', arguments: '{"expression": "2 + 2"}' };

describe('a real provider’s model', () => {
  it('is told the tools with their schemas, and their answers', async () => {
    provider.behave({ toolCalls: [sum, { name: 'current_time', arguments: '{}' }], text: 'It is four.' });
    const task = await run();
    expect(task).toMatchObject({ status: 'done', message: 'It is four.' });
    expect(task.toolCalls.map((call: { name: string; state: string }) => [call.name, call.state])).toEqual([
      ['calculator', 'done'],
      ['current_time', 'done'],
    ]);
    const [first, second] = conversation();
    expect(first?.body.tools?.map((tool) => tool.function.name)).toEqual(TOOLS);
    expect(first?.body.tools?.[0]?.function.parameters).toMatchObject({ type: 'object', required: ['expression'] });
    const told = second?.body.messages?.filter((message) => message.role === 'tool').map((message) => message.content);
    expect(told?.[0]).toBe('{"expression":"2 + 2","value":4}');
  });

  it('that calls without end has to answer in the last step', async () => {
    provider.behave({ toolCalls: [sum], toolRounds: 1_000, text: 'Enough.' });
    const task = await run();
    expect(task).toMatchObject({ status: 'done', message: 'Enough.' });
    expect(conversation()).toHaveLength(STEPS_MAX);
    expect(conversation().at(-1)?.body.tool_choice).toBe('none');
    expect(task.toolCalls).toHaveLength(STEPS_MAX - 1);
    expect(new Set(task.toolCalls.map((call: { id: string }) => call.id)).size).toBe(STEPS_MAX - 1);
  });

  it('that asks for a hundred calls at once gets a few', async () => {
    provider.behave({ toolCalls: Array.from({ length: 100 }, () => sum), text: 'Enough.' });
    const task = await run();
    expect(task).toMatchObject({ status: 'done', message: 'Enough.' });
    expect(task.toolCalls).toHaveLength(CALLS_MAX);
  });

  it.each([
    ['an unknown tool', { name: 'launch_rocket', arguments: '{"to": "moon"}' }, { to: 'moon' }, /does not have/],
    ['broken input', { name: 'calculator', arguments: '{"expression": ' }, '{"expression": ', /not valid JSON/],
    ['input that can’t be stored', { name: 'x\u0000y', arguments: '\u0000\ud800' }, expect.anything(), /does not have/],
  ])('that asks for %s is told so and goes on, and the person sees it', async (_what, asked, input, sentence) => {
    provider.behave({ toolCalls: [asked], text: 'I could not.' });
    const task = await run();
    expect(task).toMatchObject({ status: 'done', message: 'I could not.' });
    const name = asked.name.replaceAll('\0', '');
    expect(task.toolCalls).toMatchObject([{ name, state: 'failed', input, output: expect.stringMatching(sentence) }]);
    expect(toldOf(conversation().at(-1))).toHaveLength(1);
    const events = await app.request('GET', `/api/sessions/${task.sessionId}/tasks/${task.id}/events`, { as: ada });
    expect(events.body.match(/event: tool/g)).toHaveLength(1);
  });

  it('that asks for a hundred unknown tools fills no page with them', async () => {
    const unknown = { name: 'x'.repeat(5_000), arguments: '{}' };
    provider.behave({ toolCalls: Array.from({ length: 100 }, () => unknown), text: 'Enough.' });
    const task = await run();
    expect([task.status, task.toolCalls.length]).toEqual(['done', CALLS_MAX]);
    expect(task.toolCalls[0].name).toHaveLength(100);
  });

  it('that sends input of another shape is told what does not fit', async () => {
    provider.behave({ toolCalls: [{ name: 'calculator', arguments: '{"expression": [1]}' }], text: 'I could not.' });
    const task = await run();
    expect(task.toolCalls).toMatchObject([{ state: 'failed', output: expect.stringMatching(/expression/) }]);
    expect(task.message).toBe('I could not.');
  });
});

describe('with a small window', () => {
  const WINDOW = 4_000;
  let small: TestApp;
  beforeAll(async () => {
    const env = {
      OPENAI_BASE_URL: provider.url,
      OPENAI_API_KEY: 'sk-tools',
      FETCH_ALLOWED: '127.0.0.1',
      MODEL_CONTEXT_TOKENS: String(WINDOW),
    };
    small = await testApp({ env, database: app.deps.database });
  });
  afterAll(() => small.close());

  it('what tools answer is cut, said to be, and stays with all else within it', async () => {
    const text = JSON.stringify({ code: '"long ".repeat(1900)' });
    provider.behave({ toolCalls: [{ name: 'run_javascript', arguments: text }], toolRounds: 1_000, text: 'Enough.' });
    const task = await run(small, `Go. ${'And tell me all of it. '.repeat(60)}`);
    expect([task.status, task.toolCalls.length]).toEqual(['done', STEPS_MAX - 1]);
    const last = conversation().at(-1);
    const told = toldOf(last);
    expect(told).toHaveLength(STEPS_MAX - 1);
    expect(told[0]).toMatch(/^\{"value":"long long [^]*…\\n\[cut: [\d,]+ characters in all\]"/);
    // All have the same room by the end, and none is left without.
    const tokens = told.map((answer) => countTokens(answer));
    expect(Math.min(...tokens)).toBeGreaterThan(50);
    expect(Math.max(...tokens) - Math.min(...tokens)).toBeLessThan(20);
    // The person sees what the model was told when the call ended; the last was told once.
    const shown = task.toolCalls.map(({ output }: { output: unknown }) => JSON.stringify(output));
    expect(shown.at(-1)).toBe(told.at(-1));
    for (const [at, answer] of shown.entries()) expect(answer.length).toBeGreaterThanOrEqual((told[at] ?? '').length);
    const sizes = conversation().map(({ body }) => JSON.stringify([body.messages, body.tools]).length / 4);
    expect(Math.max(...sizes)).toBeLessThan(WINDOW);
  });

  it('leaves out tools whose descriptions would fill it, to be searched', async () => {
    const property = { type: 'string', description: 'x'.repeat(6_000) };
    const large = { name: 'large', description: 'Large.', inputSchema: { type: 'object', properties: { property } } };
    const server = await startMcpServer([large]);
    try {
      const added = await small.request('POST', '/api/mcp-servers', { as: ada, body: { name: 'L', url: server.url } });
      await run(small, 'Go', [added.body.server.tools[0].id, 'calculator']);
      expect(conversation()[0]?.body.tools?.map((tool) => tool.function.name)).toEqual([
        'calculator',
        'find_tools',
        'call_tool',
      ]);
    } finally {
      await server.close();
    }
  });
});
