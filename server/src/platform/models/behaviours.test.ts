import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { readConfig } from '../../config.ts';
import { type FakeOpenAI, startFakeWire } from '../../testing/fake-openai.ts';
import { HARMLESS, ODD_STREAMS } from '../../testing/odd-streams.ts';
import { chunk, spoken, sse, stream, type WireReply } from '../../testing/openai-wire.ts';
import { CHAT, HABITS, refused } from '../../testing/provider-habits.ts';
import { createModels } from './create-models.ts';
import type { GenerateInput, ModelTool } from './models.ts';

let wire: FakeOpenAI;
beforeAll(async () => {
  wire = await startFakeWire();
});
beforeEach(() => {
  wire.reset();
  wire.on('/v1/models', { body: { data: [{ id: 'm' }] } });
});
afterAll(() => wire.close());

const CLOCK: ModelTool = {
  name: 'clock',
  description: 'Tells the time.',
  inputSchema: { type: 'object', properties: {} },
  execute: async () => '12:00',
};

/** What a person would get of an answer. */
async function ask(tools: ModelTool[], patienceMs = 20_000) {
  const models = createModels(
    readConfig({ OPENAI_BASE_URL: `${wire.origin}/v1`, MODEL_TIMEOUT_MS: String(patienceMs) }),
  );
  await models.refresh();
  const waits: string[] = [];
  const input: GenerateInput = {
    model: 'm',
    instructions: 'You help.',
    messages: [{ role: 'user', text: 'Hello' }],
    temperature: 0.3,
    signal: new AbortController().signal,
    context: { agentName: 'A', prompt: 'You help.', remembers: true, memories: [] },
    tools,
    onWait: (why) => waits.push(why),
  };
  const got = { text: '', thoughts: '', cut: undefined as string | undefined, error: '', waits, usage: {} };
  try {
    for await (const event of models.stream(input)) {
      if (event.type === 'delta') got.text += event.text;
      if (event.type === 'thought') got.thoughts += event.text;
      if (event.type === 'rethought') {
        const at = got.text.length - event.chars;
        Object.assign(got, { text: got.text.slice(0, at), thoughts: got.thoughts + got.text.slice(at) });
      }
      if (event.type === 'end') Object.assign(got, { cut: event.cut, usage: event.usage });
    }
  } catch (error) {
    got.error = error instanceof Error ? error.message : String(error);
  }
  return got;
}

describe.each([
  ['without tools', []],
  ['with tools', [CLOCK]],
])('%s', (_name, tools) => {
  it.each([...HABITS, ...ODD_STREAMS])('%s', async (_name, gives, ...says) => {
    wire.on(CHAT, ...says);
    // One that stays busy is waited for as long as patience lasts.
    const isBusyForEver = says.every(({ status }) => status === 503);
    expect(await ask(tools, isBusyForEver ? 5_000 : undefined)).toMatchObject(gives);
  });
});

/** How a model asks for the tool `clock`; what it is called with; the answer, which comes after whatever was said. */
type OddCall = [name: string, inputs: unknown[], ...says: WireReply[]];

const UTC = { zone: 'UTC' };
const JSON_UTC = '{"zone":"UTC"}';
const asks = (...calls: object[]): WireReply =>
  stream(...calls.map((call) => chunk({ tool_calls: [call] })), chunk({}, 'tool_calls'), '[DONE]');
const call = (args: unknown, more: object = {}) => ({
  index: 0,
  id: 'a',
  type: 'function',
  function: { name: 'clock', arguments: args },
  ...more,
});
const piece = (args: string, more: object = {}) => ({ index: 0, function: { arguments: args }, ...more });

const ODD_CALLS: readonly OddCall[] = [
  ['arguments in pieces, as documented', [UTC], asks(call(''), piece('{"zone":'), piece('"UTC"}'))],
  ['arguments that are an object', [UTC], asks(call(UTC))],
  ['arguments that are null', [{}], asks(call(null))],
  ['arguments that are missing', [{}], asks(call(undefined))],
  ['arguments that are empty', [{}], asks(call(''))],
  ['arguments that say null', [{}], asks(call('null'))],
  ['JSON within JSON', [UTC], asks(call(JSON.stringify(JSON_UTC)))],
  ['an empty object before the pieces', [UTC], asks(call('{}'), piece(JSON_UTC))],
  ['no index', [UTC], asks(call('', { index: undefined }), piece(JSON_UTC, { index: undefined }))],
  ['an index that is a text', [UTC], asks(call('', { index: '0' }), piece(JSON_UTC, { index: '0' }))],
  ['two whole calls in the same place', [UTC, {}], asks(call(JSON_UTC), call('{}', { id: 'b' }))],
  ['two whole calls without ids', [UTC, {}], asks(call(JSON_UTC, { id: null }), call('{}', { id: undefined }))],
  [
    'two calls in turns',
    [UTC, {}],
    asks(call(''), call('', { index: 1, id: 'b' }), piece('{}', { index: 1 }), piece(JSON_UTC)),
  ],
  ['an id that is a number, or empty', [UTC, {}], asks(call(JSON_UTC, { id: 7 }), call('{}', { index: 1, id: '' }))],
  ['another id with each piece', [UTC], asks(call('{"zone":'), piece('"UTC"}', { id: 'b' }))],
  ['id and name with each piece', [UTC], asks(call('{"zone":'), call('"UTC"}'))],
  ['no type', [UTC], asks(call(JSON_UTC, { type: undefined }))],
  ['a call that is no list', [UTC], stream(chunk({ tool_calls: call(JSON_UTC) }), chunk({}, 'tool_calls'))],
  ['a call without a function around it', [UTC], asks({ id: 'a', name: 'clock', arguments: JSON_UTC })],
  [
    'the older function_call',
    [UTC],
    stream(chunk({ function_call: { name: 'clock', arguments: JSON_UTC } }), chunk({}, 'function_call')),
  ],
  ['the reason stop', [UTC], stream(chunk({ tool_calls: [call(JSON_UTC)] }), chunk({}, 'stop'), '[DONE]')],
  ['[DONE] without a reason', [UTC], stream(chunk({ content: null, tool_calls: [call(JSON_UTC)] }), '[DONE]')],
  ['everything in one event', [UTC], stream(chunk({ tool_calls: [call(JSON_UTC)] }, 'tool_calls'))],
  [
    'a whole answer',
    [UTC],
    { body: { choices: [{ message: { content: null, tool_calls: [call(UTC)] }, finish_reason: 'tool_calls' }] } },
  ],
  ...HARMLESS.slice(0, 14).map(
    ([name, , answer]): OddCall => [
      `after the tool ran: ${name}`,
      [UTC],
      asks(call(JSON_UTC)),
      ...(answer ? [answer] : []),
    ],
  ),
];

describe('asks for a tool', () => {
  it.each(ODD_CALLS)('%s', async (_name, inputs, ...says) => {
    wire.on(CHAT, ...says, { body: spoken('Hi.') });
    const asked: unknown[] = [];
    const clock = { ...CLOCK, execute: async (input: unknown) => asked.push(input) };
    expect(await ask([clock])).toMatchObject({ text: 'Hi.', error: '' });
    expect(asked).toEqual(inputs);
  });

  it('does not run what was asked for in an answer that broke off', async () => {
    const calls = [{ index: 0, id: 'a', function: { name: 'clock', arguments: '{}' } }];
    wire.on(CHAT, { body: sse(chunk({ tool_calls: calls }), chunk({}, 'abort'), '[DONE]') });
    const execute = vi.fn<ModelTool['execute']>();
    expect(await ask([{ ...CLOCK, execute }])).toMatchObject({ error: 'The provider broke off the answer (abort).' });
    expect(execute).not.toHaveBeenCalled();
  });
});

it('a model known to refuse a temperature is not sent one', async () => {
  wire.on('/v1/models', { body: { data: [{ id: 'm', supported_parameters: ['tools'] }] } });
  wire.on(CHAT, { body: spoken('Hi.') });
  expect((await ask([])).text).toBe('Hi.');
  expect((await ask([CLOCK])).text).toBe('Hi.');
  expect(wire.to(CHAT).map(({ body }) => 'temperature' in body)).toEqual([false, false]);
});

it.each([
  [
    'by name (422, FastAPI)',
    422,
    { detail: [{ loc: ['body', 'stream_options'], msg: 'Extra inputs are not permitted' }] },
  ],
  ['by name (400)', 400, { error: { message: 'Unrecognized request argument supplied: stream_options' } }],
])('stream_options that were refused %s are not sent to that provider again', async (_name, status, body) => {
  wire.on(CHAT, (request) => ('stream_options' in request.body ? refused(status, body) : { body: spoken('Hi.') }));
  const models = createModels(readConfig({ OPENAI_BASE_URL: `${wire.origin}/v1` }));
  const input = { model: 'm', instructions: 'x', messages: [{ role: 'user' as const, text: 'y' }] };
  const context = { agentName: 'A', prompt: 'x', remembers: true, memories: [] };
  for (const tools of [[], [CLOCK], []]) {
    const { signal } = new AbortController();
    for await (const event of models.stream({ ...input, tools, signal, context }))
      expect(event.type).toMatch(/delta|end/u);
  }
  expect(wire.to(CHAT).map((request) => 'stream_options' in request.body)).toEqual([true, false, false, false]);
});

it('a field is sent again when the refusal had another reason', async () => {
  const body = { error: { message: 'Too long.' }, echo: { temperature: 0.3, stream_options: {} } };
  wire.on(CHAT, refused(400, body));
  expect((await ask([])).error).toBe('The provider refused the request (400): Too long.');
  expect(wire.to(CHAT).map((request) => Object.keys(request.body).length)).toEqual([5, 4, 3]);
});

it('a temperature that was refused is not sent again', async () => {
  wire.on(CHAT, ({ body }) =>
    'temperature' in body ? refused(400, { error: { message: 'No temperature, please.' } }) : { body: spoken('Hi.') },
  );
  const models = createModels(readConfig({ OPENAI_BASE_URL: `${wire.origin}/v1` }));
  await models.refresh();
  const input = {
    model: 'm',
    instructions: 'x',
    messages: [{ role: 'user' as const, text: 'y' }],
    temperature: 1,
    signal: new AbortController().signal,
  };
  const context = { agentName: 'A', prompt: 'x', remembers: true, memories: [] };
  for (let i = 0; i < 2; i += 1) for await (const _ of models.stream({ ...input, context })) expect(_).toBeDefined();
  expect(wire.to(CHAT).map(({ body }) => 'temperature' in body)).toEqual([true, false, false]);
  expect(models.resolve('m').temperature).toBe(false);
});
