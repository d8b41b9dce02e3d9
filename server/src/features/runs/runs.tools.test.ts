import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { STEPS_MAX } from '../../platform/models/models.ts';
import { type FakeOpenAI, startFakeOpenAI } from '../../testing/fake-openai.ts';
import { type TestApp, type TestUser, testApp } from '../../testing/harness.ts';
import { CALLS_MAX } from './runs.tools.service.ts';

let provider: FakeOpenAI;
let app: TestApp;
let ada: TestUser;
beforeAll(async () => {
  provider = await startFakeOpenAI();
  app = await testApp({ env: { OPENAI_BASE_URL: provider.url, OPENAI_API_KEY: 'sk-tools' } });
});
afterAll(async () => {
  await app.close();
  await provider.close();
});
beforeEach(async () => {
  provider.reset();
  await app.reset();
  ada = await app.signUp();
  await app.grantPro(ada.uid);
});

async function run() {
  const body = { name: 'Helper', prompt: 'You help.', tools: ['calculator', 'current_time'] };
  await app.request('POST', '/api/agents', { as: ada, body });
  const { session } = (await app.request('POST', '/api/sessions', { as: ada, body: { agentId: 'helper' } })).body;
  const input = { sessionId: session.id, agentId: 'helper', inputText: 'Go' };
  return (await app.request('POST', '/api/runAgentTask', { as: ada, body: input })).body.task;
}

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
    const [first, second] = provider.requests;
    expect(first?.body.tools?.map((tool) => tool.function.name)).toEqual(['calculator', 'current_time']);
    expect(first?.body.tools?.[0]?.function.parameters).toMatchObject({ type: 'object', required: ['expression'] });
    const told = second?.body.messages?.filter((message) => message.role === 'tool').map((message) => message.content);
    expect(told?.[0]).toBe('{"expression":"2 + 2","value":4}');
  });

  it('that calls without end has to answer in the last step', async () => {
    provider.behave({ toolCalls: [sum], toolRounds: 1_000, text: 'Enough.' });
    const task = await run();
    expect(task).toMatchObject({ status: 'done', message: 'Enough.' });
    expect(provider.requests).toHaveLength(STEPS_MAX);
    expect(provider.requests.at(-1)?.body.tool_choice).toBe('none');
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
    ['an unknown tool', { name: 'launch_rocket', arguments: '{}' }],
    ['input that is no JSON', { name: 'calculator', arguments: '{"expression": ' }],
  ])('that asks for %s is told so and goes on', async (_what, call) => {
    provider.behave({ toolCalls: [call], text: 'I could not.' });
    expect(await run()).toMatchObject({ status: 'done', message: 'I could not.' });
  });

  it('that sends input of another shape is told what does not fit', async () => {
    provider.behave({ toolCalls: [{ name: 'calculator', arguments: '{"expression": [1]}' }], text: 'I could not.' });
    const task = await run();
    expect(task.toolCalls).toMatchObject([{ state: 'failed', output: expect.stringMatching(/expression/) }]);
    expect(task.message).toBe('I could not.');
  });
});
