import { describe, expect, it, vi } from 'vitest';
import { chunk, END, say, spoken, sse, stream, type WireReply } from '../../testing/openai-wire.ts';
import { breaks, CHAT, CLOCK, type Habit, HI, habitualProvider, reported } from '../../testing/provider-habits.ts';
import type { ModelTool } from './models.ts';

const provider = await habitualProvider();

const raw = (body: string, type?: string): WireReply => ({ body, headers: type ? { 'content-type': type } : {} });
const SAYS_HI = say('Hi.');
const [STOP] = END;
const USED = { prompt_tokens: 3, completion_tokens: 2 };
const COUNTED = { ...HI, usage: { inputTokens: 3, outputTokens: 2, estimated: false } };
const WHOLE = { choices: [{ message: { role: 'assistant', content: 'Hi.' }, finish_reason: 'stop' }] };
const ODD_DELTA = { role: 7, content: 'Hi.', refusal: {}, tool_calls: null, audio: 'x' };

const giving =
  (gives: Habit[1]) =>
  (name: string, ...events: (object | string)[]): Habit => [name, gives, stream(...events)];
/** These events are “Hi.” and nothing else. */
const hi = giving(HI);
/** The same of bytes. */
const rawHi = (name: string, body: string, type?: string): Habit => [name, HI, raw(body, type)];
const withUsage = giving(COUNTED);
const thinks = giving({ thoughts: 'Hm.', ...HI });
const fails = (name: string, said: string, answer: WireReply): Habit => [name, { error: reported(said) }, answer];

/** What harms no answer: each was seen at some server, and nothing of it is in OpenAI's documentation. */
const HARMLESS: readonly Habit[] = [
  // Events that are none of ours.
  rawHi('an event of its own with a word', `event: ping\ndata: keep-alive\n\n${spoken('Hi.')}`),
  rawHi('an event of its own with JSON', `event: ping\ndata: {"type":"ping"}\n\n${spoken('Hi.')}`),
  rawHi('an event that tells of a queue', `event: status\ndata: {"message":"You are second."}\n\n${spoken('Hi.')}`),
  rawHi('an event of its own with broken JSON', `event: trace\ndata: {"a":\n\n${spoken('Hi.')}`),
  rawHi('an event with a name and an answer', spoken('Hi.').replaceAll('data:', 'event: message\ndata:')),
  rawHi('empty data', `data:\n\ndata: \n\n${spoken('Hi.')}`),
  hi('data of one word', 'ping', SAYS_HI, ...END),
  hi('data that is a number, a text, null', '1', '"ping"', 'null', SAYS_HI, ...END),
  hi('a JSON object without any field of an answer', { type: 'heartbeat' }, {}, SAYS_HI, ...END),
  hi('several pieces in one list', JSON.stringify([say('H'), say('i.')]), ...END),
  rawHi('ids, a time to retry and unknown fields', `id: 1\nretry: soon\nx: y\n${spoken('Hi.')}`),
  // Fields that are something else than documented.
  withUsage('choices that is null beside usage', SAYS_HI, STOP, { choices: null, usage: USED }, '[DONE]'),
  withUsage('usage without choices', SAYS_HI, STOP, { usage: USED }, '[DONE]'),
  withUsage('usage in texts', SAYS_HI, { ...STOP, usage: { prompt_tokens: '3', completion_tokens: '2' } }),
  withUsage('usage in other words', SAYS_HI, { ...STOP, usage: { input_tokens: 3, output_tokens: 2 } }),
  withUsage('usage with every piece', { ...SAYS_HI, usage: { prompt_tokens: 3 } }, { ...STOP, usage: USED }),
  withUsage('usage of Groq', SAYS_HI, { ...STOP, x_groq: { id: 'x', usage: USED } }, '[DONE]'),
  withUsage('usage within the choice (Moonshot)', SAYS_HI, { choices: [{ ...STOP.choices[0], usage: USED }] }),
  giving({ ...HI, usage: { inputTokens: 12, outputTokens: 387, estimated: false } })(
    'usage with thinking in the total alone (xAI)',
    SAYS_HI,
    { ...STOP, usage: { prompt_tokens: 12, completion_tokens: 1, total_tokens: 399 } },
  ),
  ...[{ prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 }, { completion_tokens: 0 }].map((usage, at) =>
    giving({ ...HI, usage: { inputTokens: expect.any(Number), outputTokens: 2, estimated: true } })(
      `usage of zeros (${at})`,
      SAYS_HI,
      { ...STOP, usage },
    ),
  ),
  hi('usage that is none', { ...SAYS_HI, usage: 'none' }, { ...STOP, usage: { prompt_tokens: -1 } }, '[DONE]'),
  hi('choices that is no list', { choices: { delta: { content: 'Hi.' }, finish_reason: 'stop' } }),
  hi('choices with empty ones', { choices: [null, { delta: { content: 'Hi.' }, finish_reason: 'stop' }] }),
  hi('a delta that is null', SAYS_HI, { choices: [{ delta: null, finish_reason: 'stop' }] }, '[DONE]'),
  hi('a delta that is a text', { choices: [{ delta: 'Hi.' }] }, ...END),
  hi('a message in place of a delta', { choices: [{ message: { content: 'Hi.' } }] }, ...END),
  hi('the whole message once more at its end', SAYS_HI, {
    choices: [{ message: { content: 'Hi.' }, finish_reason: 'stop' }],
  }),
  hi('a text in place of a delta', { choices: [{ text: 'Hi.' }] }, ...END),
  ['content that is a number', { text: '42', error: '' }, stream(say(42), ...END)],
  hi(
    'content in parts of several kinds',
    say(['H', { type: 'output_text', text: 'i' }, { text: '.' }, { type: 'image_url' }, null]),
    ...END,
  ),
  hi('content that is one part', say({ type: 'text', text: 'Hi.', annotations: 7 }), ...END),
  hi(
    'another role, and metadata of other types',
    {
      ...chunk({ role: 'bot', content: 'Hi.' }),
      id: 7,
      created: 'now',
      model: null,
      object: 1,
      system_fingerprint: {},
    },
    ...END,
  ),
  hi('a choice with other types', {
    choices: [{ index: '0', delta: ODD_DELTA, logprobs: 'none', finish_reason: 'stop' }],
  }),
  hi('tool calls that are empty', chunk({ content: 'Hi.', tool_calls: [], function_call: null }), ...END),
  hi(
    'an error that is none',
    ...[null, '', {}, false, [], { code: null }].map((error) => ({ ...chunk({}), error })),
    SAYS_HI,
    ...END,
  ),
  // Thinking.
  thinks('thinking that is an object', chunk({ reasoning: { text: 'Hm.' } }), SAYS_HI, ...END),
  thinks(
    'thinking in details',
    chunk({ reasoning_details: [{ type: 'reasoning.text', text: 'Hm.' }] }),
    SAYS_HI,
    ...END,
  ),
  thinks(
    'the same thinking in two fields',
    chunk({ reasoning: 'Hm.', reasoning_details: [{ type: 'reasoning.summary', summary: 'Hm.' }] }),
    SAYS_HI,
    ...END,
  ),
  [
    'only the end of a thought',
    { thoughts: 'Hm.\n', ...HI },
    stream(...['Hm.', '\n</th', 'ink>', '\n\nHi.'].map((words) => say(words)), ...END),
  ],
  ['other tags of thinking', { thoughts: 'Hm.', ...HI }, { body: spoken('<Reasoning>Hm.</reasoning>\nHi.') }],
  [
    'the end of a thought in code',
    { thoughts: '', text: 'Close `</think>` there.' },
    { body: spoken('Close `</think>` there.') },
  ],
  thinks('the end of a thought that came apart', chunk({ reasoning_content: 'Hm.' }), say('</think>\n\nHi.'), ...END),
  // How it ends.
  hi('a reason that is empty in every piece', say('H', ''), say('i.', 'null'), ...END),
  hi('a reason that is an object', SAYS_HI, { choices: [{ delta: {}, finish_reason: { type: 'stop' } }] }),
  ['a reason that nobody knows', { ...HI, cut: undefined }, stream(SAYS_HI, chunk({}, 'eos_token'))],
  rawHi('no last blank line', spoken('Hi.').trimEnd()),
  rawHi('no last blank line and no [DONE]', sse(SAYS_HI, STOP).trimEnd()),
  rawHi('lines that end as Windows ends them', spoken('Hi.').replaceAll('\n', '\r\n')),
  rawHi('lines that end in carriage returns', spoken('Hi.').replaceAll('\n', '\r')),
  rawHi('a mark of byte order', `\uFEFF${spoken('Hi.')}`),
  rawHi('no blanks after the colons', spoken('Hi.').replaceAll('data: ', 'data:')),
  hi('[DONE] in another spelling', SAYS_HI, ' [done] '),
  rawHi(
    'more after the end',
    `${spoken('Hi.')}data: {"error":{"message":"Too late."}}\n\nevent: error\ndata: late\n\n`,
  ),
  ['a connection that breaks after the reason', HI, { body: sse(SAYS_HI, STOP), breaks: true }],
  // Another form of the whole.
  rawHi(
    'lines of JSON without a stream',
    `${JSON.stringify(SAYS_HI)}\n${JSON.stringify(STOP)}\n`,
    'application/x-ndjson',
  ),
  rawHi('a stream that is called JSON', spoken('Hi.'), 'application/json'),
  rawHi('a stream that is called a web page', spoken('Hi.'), 'text/html'),
  rawHi('a stream of no type', spoken('Hi.'), 'application/octet-stream'),
  rawHi('a whole answer that is called text', JSON.stringify(WHOLE), 'text/plain'),
  rawHi('a whole answer in many lines', JSON.stringify(WHOLE, null, 2), 'application/json'),
  [
    'a whole answer without a reason',
    HI,
    { body: { choices: [{ message: { content: [{ type: 'text', text: 'Hi.' }] } }] } },
  ],
  [
    'a whole answer that thinks',
    { thoughts: 'Hm.', ...HI },
    { body: { choices: [{ message: { content: 'Hi.', reasoning_content: 'Hm.' } }] } },
  ],
];

/** What isn't whole. */
const BROKEN: readonly Habit[] = [
  ...['error', 'abort', 'aborted', 'cancelled', 'network_error', 'insufficient_system_resource'].map(
    (reason): Habit => [
      `the reason ${reason}`,
      { text: 'Hi', error: `The provider broke off the answer (${reason}).` },
      { body: spoken('Hi', reason) },
    ],
  ),
  breaks('the reason error, and its error in the next event', 'Worker died.', say('Hi', 'error'), {
    error: { message: 'Worker died.' },
  }),
  breaks('a reason that nobody knows beside an error', 'Worker died.', {
    ...say('Hi', 'oops'),
    error: { message: 'Worker died.' },
  }),
  breaks('an error within the choice', 'Upstream went away.', {
    choices: [
      { delta: { content: 'Hi' }, finish_reason: 'error', error: { code: 502, message: 'Upstream went away.' } },
    ],
  }),
  breaks('an error that is a text', 'Out of memory.', say('Hi'), { error: 'Out of memory.' }),
  breaks('an error that is only true', 'Out of memory.', say('Hi'), { error: true, message: 'Out of memory.' }),
  breaks('an error by its type', 'Overloaded', say('Hi'), { type: 'error', message: 'Overloaded' }),
  breaks(
    'an error by its code, before [DONE]',
    'Worker died.',
    say('Hi'),
    { code: 500, message: 'Worker died.' },
    '[DONE]',
  ),
  [
    'an error event in words',
    { text: 'Hi', error: reported('Worker died.') },
    raw(`${sse(say('Hi'))}event: error\ndata: Worker died.\n\n`),
  ],
  breaks('FastAPI’s error in the stream', 'Worker died.', say('Hi'), { detail: 'Worker died.' }, '[DONE]'),
  fails('MiniMax’ error with status 200', 'insufficient balance', {
    body: { choices: null, base_resp: { status_code: 1008, status_msg: 'insufficient balance' } },
  }),
  ...['application/json', 'text/plain', 'text/event-stream', 'text/html', 'application/octet-stream'].map((type) =>
    fails(
      `an error with status 200 that is called ${type}`,
      'No credit.',
      raw('{"error":{"message":"No credit."}}', type),
    ),
  ),
  fails(
    'an error with status 200 in many lines',
    'No credit.',
    raw(JSON.stringify({ error: { message: 'No credit.' } }, null, 2), 'text/plain'),
  ),
  fails('an error with status 200 in a list', 'No credit.', {
    body: [{ error: { code: 429, message: 'No credit.' } }],
  }),
  fails('a sentence with status 200', 'The model is being loaded.', raw('The model is being loaded.', 'text/plain')),
  fails('an object with a message and status 200', 'The model is being loaded.', {
    body: { message: 'The model is being loaded.' },
  }),
  fails('a sentence as the only event', 'The model is being loaded.', stream('The model is being loaded.', '[DONE]')),
  [
    'broken JSON among the pieces',
    { text: 'Hi', error: 'The provider’s answer could not be understood.' },
    stream(say('Hi'), '{"choices":[{"delta":', ...END),
  ],
  [
    'a stream that ends within a piece',
    { text: 'Hi', error: 'The provider ended the answer before it was complete.' },
    raw(`${sse(say('Hi'))}data: {"choices":[{"del`),
  ],
];

provider.tryAll([...HARMLESS, ...BROKEN]);

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
    ([name, , ...says]): OddCall => [`after the tool ran: ${name}`, [UTC], asks(call(JSON_UTC)), ...says],
  ),
];

describe('asks for a tool', () => {
  it.each(ODD_CALLS)('%s', async (_name, inputs, ...says) => {
    provider.wire.on(CHAT, ...says, { body: spoken('Hi.') });
    const asked: unknown[] = [];
    const clock = { ...CLOCK, execute: async (input: unknown) => asked.push(input) };
    expect(await provider.ask([clock])).toMatchObject({ text: 'Hi.', error: '' });
    expect(asked).toEqual(inputs);
  });

  it('does not run what was asked for in an answer that broke off', async () => {
    const calls = [{ index: 0, id: 'a', function: { name: 'clock', arguments: '{}' } }];
    provider.wire.on(CHAT, { body: sse(chunk({ tool_calls: calls }), chunk({}, 'abort'), '[DONE]') });
    const execute = vi.fn<ModelTool['execute']>();
    expect(await provider.ask([{ ...CLOCK, execute }])).toMatchObject({
      error: 'The provider broke off the answer (abort).',
    });
    expect(execute).not.toHaveBeenCalled();
  });
});
