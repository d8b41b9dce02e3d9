import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { readConfig } from '../../config.ts';
import { startFakeWire } from '../../testing/fake-openai.ts';
import { closing, temporaryFolder } from '../../testing/lifetimes.ts';
import { chunk, sse, type WireReply } from '../../testing/openai-wire.ts';
import { gather } from '../../testing/provider-habits.ts';
import { createModels } from './create-models.ts';
import type { ModelTool } from './models.ts';

const { folder } = temporaryFolder('sdk');
const wire = await closing(startFakeWire());
beforeEach(() => wire.reset());

const CLOCK: ModelTool = {
  name: 'clock',
  description: 'Tells the time.',
  inputSchema: { type: 'object', properties: { zone: { type: 'string' } } },
  execute: async () => ({ time: '12:00' }),
};

async function ask(type: string, base: string, model: string, tools: ModelTool[] = []) {
  const path = join(folder, 'models.json');
  writeFileSync(
    path,
    JSON.stringify({ providers: { it: { type, baseURL: `${wire.origin}${base}`, apiKey: '${KEY}' } } }),
  );
  const models = createModels(readConfig({ MODELS_FILE: path }), { variables: { KEY: 'k-7f3a9b1c5d' } });
  await models.refresh();
  const context = { agentName: 'A', prompt: '', remembers: true, memories: [] };
  const input = {
    model,
    instructions: 'Help.',
    messages: [{ role: 'user' as const, text: 'Hello' }],
    temperature: 0.3,
    tools,
  };
  const got = await gather(models.stream({ ...input, signal: new AbortController().signal, context }));
  return { got, models };
}

describe('Anthropic', () => {
  const events = (...list: { type: string }[]): WireReply => ({
    body: list.map((data) => `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`).join(''),
  });
  const start = {
    type: 'message_start',
    message: {
      id: 'msg_1',
      type: 'message',
      role: 'assistant',
      model: 'claude-sonnet-4-5',
      content: [],
      stop_reason: null,
      stop_sequence: null,
      usage: { input_tokens: 12, output_tokens: 1 },
    },
  };
  const block = (index: number, content_block: object, ...deltas: object[]) => [
    { type: 'content_block_start', index, content_block },
    ...deltas.map((delta) => ({ type: 'content_block_delta', index, delta })),
    { type: 'content_block_stop', index },
  ];
  const end = (stop_reason: string) => [
    { type: 'message_delta', delta: { stop_reason, stop_sequence: null }, usage: { output_tokens: 9 } },
    { type: 'message_stop' },
  ];
  const say = (text: string) => block(0, { type: 'text', text: '' }, { type: 'text_delta', text });
  const claude = (tools?: ModelTool[]) => ask('anthropic', '/v1', 'claude-sonnet-4-5', tools);
  beforeEach(() =>
    wire.on('/v1/models', {
      body: {
        data: [
          {
            type: 'model',
            id: 'claude-sonnet-4-5',
            display_name: 'Claude Sonnet 4.5',
            created_at: '2025-09-29T00:00:00Z',
          },
        ],
        has_more: false,
        first_id: 'a',
        last_id: 'a',
      },
    }),
  );

  it('answers, with its thoughts apart', async () => {
    const thinking = block(
      0,
      { type: 'thinking', thinking: '', signature: '' },
      { type: 'thinking_delta', thinking: 'Hm.' },
      { type: 'signature_delta', signature: 'x' },
    );
    wire.on(
      '/v1/messages',
      events(
        start,
        ...thinking,
        ...block(1, { type: 'text', text: '' }, { type: 'text_delta', text: 'Hi.' }),
        ...end('end_turn'),
      ),
    );
    const { got, models } = await claude();
    expect(got).toEqual({
      text: 'Hi.',
      thoughts: 'Hm.',
      cut: undefined,
      error: '',
      usage: { inputTokens: 12, outputTokens: 9, estimated: false },
    });
    expect(models.list()).toMatchObject([
      { id: 'claude-sonnet-4-5', label: 'Claude Sonnet 4.5', contextTokens: 200_000 },
    ]);
    expect(wire.to('/v1/models')[0]?.headers).toMatchObject({
      'x-api-key': 'k-7f3a9b1c5d',
      'anthropic-version': '2023-06-01',
    });
    expect(wire.to('/v1/messages')[0]?.headers['x-api-key']).toBe('k-7f3a9b1c5d');
  });

  it('sends what nobody knows: the answer stays; an error with status 200 is said', async () => {
    const odd = 'event: keepalive\ndata: x\n\ndata:\n\nevent: later\ndata: {"type":"later"}\n\n';
    const { body } = events(start, ...say('Hi.'), ...end('end_turn'));
    wire.on('/v1/messages', { body: `${odd}${String(body).trimEnd()}` });
    expect((await claude()).got).toMatchObject({ text: 'Hi.', error: '' });
    wire.on('/v1/messages', { body: { type: 'error', error: { type: 'api_error', message: 'No credit.' } } });
    expect((await claude()).got.error).toBe('The provider reported an error: No credit.');
  });

  it('is cut by its length', async () => {
    wire.on('/v1/messages', events(start, ...say('Once'), ...end('max_tokens')));
    expect((await claude()).got).toMatchObject({ text: 'Once', cut: 'length' });
  });

  it('uses a tool', async () => {
    const call = block(
      0,
      { type: 'tool_use', id: 'toolu_1', name: 'clock', input: {} },
      { type: 'input_json_delta', partial_json: '{"zone":"UTC"}' },
    );
    wire.on(
      '/v1/messages',
      events(start, ...call, ...end('tool_use')),
      events(start, ...say('Noon.'), ...end('end_turn')),
    );
    expect((await claude([CLOCK])).got).toMatchObject({ text: 'Noon.', error: '' });
    expect(JSON.stringify(wire.to('/v1/messages')[1]?.body.messages)).toContain('12:00');
  });

  it('is overloaded for a moment, or refuses in its own words', async () => {
    const busy = { status: 529, body: { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } } };
    wire.on('/v1/messages', busy, events(start, ...say('Hi.'), ...end('end_turn')));
    expect((await claude()).got).toMatchObject({ text: 'Hi.', error: '' });
    wire.on('/v1/messages', {
      status: 401,
      body: { type: 'error', error: { type: 'authentication_error', message: 'invalid x-api-key' }, request_id: 'r' },
    });
    expect((await claude()).got.error).toBe('The provider refused the API key (401): invalid x-api-key');
    wire.on(
      '/v1/messages',
      events(start, ...say('Hi'), { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } } as {
        type: string;
      }),
    );
    expect((await claude()).got.error).toContain('Overloaded');
  });

  it.each([true, false])('keeps what came when the stream ends too early (broken connection: %s)', async (breaks) => {
    const open = [start, ...say('Once').slice(0, 2)];
    wire.on('/v1/messages', { ...events(...open), breaks });
    const { got } = await claude();
    expect(got).toMatchObject({ text: 'Once' });
    expect(got.error).toMatch(/before it was complete|connection/i);
  });
});

describe('Google', () => {
  const PATH = '/v1beta/models/gemini-2.5-flash:streamGenerateContent';
  const part = (parts: object[], finishReason?: string) => ({
    candidates: [{ content: { role: 'model', parts }, index: 0, ...(finishReason ? { finishReason } : {}) }],
    usageMetadata: { promptTokenCount: 7, candidatesTokenCount: 3, totalTokenCount: 10 },
  });
  const gemini = (tools?: ModelTool[]) => ask('google', '/v1beta', 'gemini-2.5-flash', tools);
  beforeEach(() =>
    wire.on('/v1beta/models', {
      body: {
        models: [
          {
            name: 'models/gemini-2.5-flash',
            displayName: 'Gemini 2.5 Flash',
            inputTokenLimit: 1_048_576,
            outputTokenLimit: 65_536,
            supportedGenerationMethods: ['generateContent', 'countTokens'],
            thinking: true,
          },
          { name: 'models/gemini-embedding-001', inputTokenLimit: 2_048, supportedGenerationMethods: ['embedContent'] },
        ],
      },
    }),
  );

  it('answers, with its thoughts apart', async () => {
    wire.on(PATH, { body: sse(part([{ text: 'Hm.', thought: true }]), part([{ text: 'Hi.' }], 'STOP')) });
    const { got, models } = await gemini();
    expect(got).toMatchObject({ text: 'Hi.', thoughts: 'Hm.', cut: undefined, error: '' });
    expect(models.list()).toEqual([
      {
        id: 'gemini-2.5-flash',
        label: 'Gemini 2.5 Flash',
        tools: true,
        sight: true,
        hearing: true,
        reasoning: true,
        temperature: true,
        contextTokens: 1_048_576,
      },
    ]);
    expect(wire.to('/v1beta/models')[0]?.headers['x-goog-api-key']).toBe('k-7f3a9b1c5d');
  });

  it('sends what nobody knows: the answer stays; an error with status 200 is said', async () => {
    wire.on(PATH, { body: `event: ping\ndata: x\n\n${sse('', '1', part([{ text: 'Hi.' }], 'STOP'))}` });
    expect((await gemini()).got).toMatchObject({ text: 'Hi.', error: '' });
    wire.on(PATH, { body: [{ error: { code: 429, message: 'No credit.', status: 'RESOURCE_EXHAUSTED' } }] });
    expect((await gemini()).got.error).toBe('The provider reported an error: No credit.');
  });

  it('is cut by its length or its filter', async () => {
    wire.on(PATH, { body: sse(part([{ text: 'Once' }], 'MAX_TOKENS')) });
    expect((await gemini()).got).toMatchObject({ text: 'Once', cut: 'length' });
    wire.on(PATH, { body: sse(part([{ text: 'Once' }], 'SAFETY')) });
    expect((await gemini()).got).toMatchObject({ text: 'Once', cut: 'filter' });
  });

  it('uses a tool, and refuses in its own words', async () => {
    const call = part([{ functionCall: { name: 'clock', args: { zone: 'UTC' } } }], 'STOP');
    wire.on(PATH, { body: sse(call) }, { body: sse(part([{ text: 'Noon.' }], 'STOP')) });
    expect((await gemini([CLOCK])).got).toMatchObject({ text: 'Noon.', error: '' });
    wire.on(PATH, {
      status: 400,
      body: { error: { code: 400, message: 'API key not valid.', status: 'INVALID_ARGUMENT' } },
    });
    expect((await gemini()).got.error).toBe('The provider refused the request (400): API key not valid.');
  });

  it.each([true, false])('keeps what came when the stream ends too early (broken connection: %s)', async (breaks) => {
    wire.on(PATH, { body: sse(part([{ text: 'Once' }])), breaks });
    const { got } = await gemini();
    expect(got).toMatchObject({ text: 'Once' });
    expect(got.error).toMatch(/before it was complete|connection/i);
  });
});

describe('OpenAI by its own package', () => {
  it('answers, uses tools, and is sent no temperature where its model refuses one', async () => {
    wire.on('/v1/models', { body: { data: [{ id: 'gpt-5-mini', object: 'model' }] } });
    const call = { index: 0, id: 'call_1', type: 'function', function: { name: 'clock', arguments: '{}' } };
    wire.on(
      '/v1/chat/completions',
      { body: sse(chunk({ role: 'assistant', content: null, tool_calls: [call] }), chunk({}, 'tool_calls'), '[DONE]') },
      { body: sse(chunk({ role: 'assistant', content: 'Noon.' }), chunk({}, 'stop'), '[DONE]') },
    );
    const bare = { ...CLOCK, name: 'bare', inputSchema: { type: 'object' } };
    const { got } = await ask('openai', '/v1', 'gpt-5-mini', [CLOCK, bare]);
    expect(got).toMatchObject({ text: 'Noon.', error: '' });
    // It refuses all tools for one that lists no properties.
    const parameters = { type: 'object', properties: {} };
    expect(wire.to('/v1/chat/completions')[0]?.body.tools).toMatchObject([{}, { function: { parameters } }]);
    expect(wire.to('/v1/chat/completions').every(({ body }) => !('temperature' in body))).toBe(true);
  });

  it.each([true, false])('keeps what came when the stream ends too early (broken connection: %s)', async (breaks) => {
    wire.on('/v1/models', { body: { data: [{ id: 'gpt-5-mini', object: 'model' }] } });
    wire.on('/v1/chat/completions', { body: sse(chunk({ role: 'assistant', content: 'Once' })), breaks });
    const { got } = await ask('openai', '/v1', 'gpt-5-mini', [CLOCK]);
    expect(got).toMatchObject({ text: 'Once' });
    expect(got.error).toMatch(/before it was complete|connection/i);
  });
});
