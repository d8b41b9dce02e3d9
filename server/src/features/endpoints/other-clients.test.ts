import { createOpenAI } from '@ai-sdk/openai';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { AIMessage, HumanMessage, SystemMessage } from '@langchain/core/messages';
import { ChatOpenAI } from '@langchain/openai';
import { generateText, streamText } from 'ai';
import { beforeEach, expect, it } from 'vitest';
import { proWithKey, startForPrograms } from '../../testing/programs.ts';

let apiKey: string;

const at = await startForPrograms();
beforeEach(async () => {
  ({ apiKey } = await proWithKey(at.app));
});

const HELLO = 'Hello from the fake provider.';
const lastPrompt = () => JSON.stringify(at.provider.requests.findLast(({ isAnswer }) => isAnswer)?.body.messages);

it.each([
  ['Chat Completions', () => createOpenAI({ apiKey, baseURL: `${at.url}/v1` }).chat('nora')],
  ['Responses', () => createOpenAI({ apiKey, baseURL: `${at.url}/v1` }).responses('nora')],
  [
    'any compatible server',
    () => createOpenAICompatible({ name: 'x', apiKey, baseURL: `${at.url}/v1`, includeUsage: true }).chatModel('nora'),
  ],
])('streams to the AI SDK for %s, and its next call recalls', async (_what, modelOf) => {
  const model = modelOf();
  const stream = streamText({ model, prompt: 'My kiln stands in Faro.', maxRetries: 0 });
  let text = '';
  for await (const piece of stream.textStream) text += piece;
  expect(text).toBe(HELLO);
  expect(await stream.finishReason).toBe('stop');
  expect((await stream.usage).inputTokens).toBeGreaterThan(0);
  const again = await generateText({ model, prompt: 'Where does my kiln stand?', maxRetries: 0 });
  expect(again.text).toBe(HELLO);
  expect(lastPrompt()).toMatch(/Faro/u);
});

it('answers and streams to LangChain’s ChatOpenAI, and its next call recalls', async () => {
  const chat = new ChatOpenAI({ model: 'nora', apiKey, configuration: { baseURL: `${at.url}/v1` }, maxRetries: 0 });
  const answer = await chat.invoke([new SystemMessage('Be brief.'), new HumanMessage('My kiln stands in Faro.')]);
  expect([answer.text, answer.response_metadata.finish_reason]).toEqual([HELLO, 'stop']);
  expect(answer.usage_metadata?.total_tokens).toBeGreaterThan(0);
  let text = '';
  const history = [new HumanMessage('Hi'), new AIMessage('Hello'), new HumanMessage('Where does my kiln stand?')];
  for await (const chunk of await chat.stream(history)) text += chunk.text;
  expect(text).toBe(HELLO);
  expect(lastPrompt()).toMatch(/Faro/u);
});

it('answers as Open WebUI calls: the models, then a stream with settings of its own', async () => {
  const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' };
  const models = await fetch(`${at.url}/v1/models`, { headers });
  expect(await models.json()).toMatchObject({ data: [{ id: 'nora', name: 'Nora' }] });
  const body = {
    model: 'nora',
    stream: true,
    stream_options: { include_usage: true },
    messages: [
      { role: 'user', content: 'Hello?' },
      { role: 'assistant', content: HELLO },
      { role: 'user', content: [{ type: 'text', text: 'Who are you?' }] },
    ],
    temperature: 0.8,
    max_tokens: 1_000,
    top_p: 0.9,
    stop: ['###'],
    tools: [],
    metadata: { chat_id: 'c' },
  };
  const response = await fetch(`${at.url}/v1/chat/completions`, {
    method: 'POST',
    headers,
    body: JSON.stringify(body),
  });
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/event-stream']);
  const lines = (await response.text()).split('\n\n').filter((line) => line.startsWith('data: '));
  expect(lines.at(-1)).toBe('data: [DONE]');
  const pieces = lines.slice(0, -1).map((line) => JSON.parse(line.slice('data: '.length)));
  expect(pieces.map(({ choices }) => choices[0]?.delta.content ?? '').join('')).toBe(HELLO);
});
