import { expect, it } from 'vitest';
import { serveOllama } from '../../testing/fake-openai.ts';
import { chunk, END, say, spoken, sse, stream, type WireReply } from '../../testing/openai-wire.ts';
import { breaks, CHAT, CLOCK, type Habit, HI, habitualProvider, reported } from '../../testing/provider-habits.ts';
import { STEPS_MAX } from './models.ts';

const provider = await habitualProvider();

/** An answer that is none. */
const refused = (status: number, body: object | string, headers: Record<string, string> = {}): WireReply => ({
  status,
  body,
  headers,
});
/** A refusal that asking again won't change, and the sentence that a person reads. */
const refuses = (name: string, error: string, ...answer: Parameters<typeof refused>): Habit => [
  name,
  { error, asked: 1 },
  refused(...answer),
];
const LOADING = refused(503, { error: { code: 503, message: 'Loading model', type: 'unavailable_error' } });
const NO_TEMPERATURE = "Unsupported value: 'temperature' does not support 0.3 with this model.";
const LIMITED = 'The provider limits requests or has no credit left (429)';

provider.tryAll([
  // How an answer ends.
  ['a reason and [DONE]', { text: 'Hi.', cut: undefined, error: '' }, { body: spoken('Hi.') }],
  ['[DONE] without a reason is an end', HI, stream(say('Hi.'), '[DONE]')],
  ['a reason without [DONE] is an end', HI, stream(say('Hi.', 'stop'))],
  [
    'neither of them: it broke off',
    { text: 'Hi', error: 'The provider ended the answer before it was complete.' },
    stream(say('Hi')),
  ],
  ['length', { text: 'Once upon', cut: 'length' }, { body: spoken('Once upon', 'length') }],
  ['Mistral’s word for length', { cut: 'length' }, { body: spoken('Once upon', 'model_length') }],
  ['a content filter', { text: 'I would', cut: 'filter' }, { body: spoken('I would', 'content_filter') }],
  [
    'a content filter before the first word',
    { text: '', error: 'The provider’s content filter stopped this answer.' },
    stream(chunk({}, 'content_filter'), '[DONE]'),
  ],
  [
    'length while it still thinks',
    {
      thoughts: 'Well…',
      error: 'The model reached its length limit before it answered. Ask for less, or choose a model that reads more.',
    },
    stream(chunk({ reasoning_content: 'Well…' }), chunk({}, 'length'), '[DONE]'),
  ],
  // Thinking.
  [
    'reasoning_content (DeepSeek, llama.cpp)',
    { thoughts: 'Hm. Yes.', text: 'Hi.' },
    stream(chunk({ reasoning_content: 'Hm. ' }), chunk({ reasoning_content: 'Yes.' }), say('Hi.'), ...END),
  ],
  [
    'reasoning (OpenRouter, Ollama, vLLM)',
    { thoughts: 'Hm.', text: 'Hi.' },
    stream(chunk({ reasoning: 'Hm.', content: '' }), say('Hi.'), ...END),
  ],
  [
    '<think> in pieces',
    { thoughts: 'Hm. ', text: 'Hi you.' },
    stream(...['\n<th', 'ink>Hm', '. </', 'think', '>\n\nHi', ' you.'].map((words) => say(words)), ...END),
  ],
  [
    '<think> that the answer writes about',
    { thoughts: '', text: 'Put <think>x</think> first.' },
    { body: spoken('Put <think>x</think> first.') },
  ],
  [
    'content in parts (Mistral)',
    { thoughts: 'Hm.', text: 'Hi.' },
    stream(
      say([{ type: 'thinking', thinking: [{ type: 'text', text: 'Hm.' }] }]),
      say([{ type: 'text', text: 'Hi.' }]),
      ...END,
    ),
  ],
  // Busy.
  [
    '429 with Retry-After: waits and says why',
    { ...HI, waits: ['The provider limits requests (429). Trying again in 1 second.'] },
    refused(429, { error: { message: 'Slow down.' } }, { 'retry-after': '1' }),
    { body: spoken('Hi.') },
  ],
  [
    '429 for longer than patience lasts',
    { error: `${LIMITED}, try again in 60 seconds: Slow down.`, waits: [], asked: 1 },
    refused(429, { error: { message: 'Slow down.' } }, { 'retry-after': '60' }),
  ],
  refuses('429 for want of money: no use in waiting', `${LIMITED}: You exceeded your quota.`, 429, {
    error: { message: 'You exceeded your quota.', code: 'insufficient_quota' },
  }),
  ['503 while a model is loaded (llama.cpp)', HI, LOADING, LOADING, { body: spoken('Hi.') }],
  ['503 for ever', { error: 'The provider failed (503): Loading model' }, LOADING],
  // Temperature.
  [
    'a model that refuses a temperature',
    HI,
    refused(400, { error: { message: NO_TEMPERATURE, param: 'temperature' } }),
    { body: spoken('Hi.') },
  ],
  // What they say when something is wrong.
  refuses('a wrong key', 'The provider refused the API key (401): Nope.', 401, { error: { message: 'Nope.' } }),
  refuses('a failure of its own', 'The provider failed (500): Nope.', 500, { error: { message: 'Nope.' } }),
  refuses('OpenAI’s error', 'The provider refused the request (400): Too long.', 400, {
    error: { message: 'Too long.', type: 'invalid_request_error', code: 'context_length_exceeded' },
  }),
  refuses(
    'Ollama’s and LM Studio’s error: a text',
    "The provider does not know this model or address (404): model 'm' not found",
    404,
    { error: "model 'm' not found" },
  ),
  refuses('vLLM’s error', 'The provider refused the request (400): The length is 9000.', 400, {
    object: 'error',
    message: 'The length is 9000.',
    type: 'BadRequestError',
    param: null,
    code: 400,
  }),
  refuses('FastAPI’s error', 'The provider refused the request (422): Field required', 422, {
    detail: [{ loc: ['body', 'model'], msg: 'Field required', type: 'missing' }],
  }),
  refuses('Gemini’s error: a list', 'The provider refused the request (400): API key not valid.', 400, [
    { error: { code: 400, message: 'API key not valid.', status: 'INVALID_ARGUMENT' } },
  ]),
  refuses(
    'OpenRouter’s error, with the real one inside',
    'The provider refused the request (400): No such tool.',
    400,
    {
      error: {
        code: 400,
        message: 'Provider returned error',
        metadata: { raw: '{"error":{"message":"No such tool."}}', provider_name: 'X' },
      },
    },
  ),
  refuses('plain text', 'The provider refused the request (400): model is required', 400, 'model is required', {
    'content-type': 'text/plain',
  }),
  refuses(
    'a page of a proxy: its markup is no sentence',
    'The provider failed (500): Internal Server Error',
    500,
    '<html><h1>500</h1></html>',
    { 'content-type': 'text/html' },
  ),
  [
    'a page with a status that means success',
    { error: 'The provider answered with a web page instead of an answer. Check its address.' },
    { headers: { 'content-type': 'text/html' }, body: '<!doctype html><title>Login</title><p>Please sign in.</p>' },
  ],
  ['nothing at all', { text: '', error: 'The provider ended the answer before it was complete.' }, { body: '' }],
  breaks('an error in the stream', 'Out of memory.', say('Hi'), { error: { message: 'Out of memory.', code: 500 } }),
  breaks(
    'an error in the stream, as OpenRouter sends it',
    'Upstream went away.',
    say('Hi'),
    chunk({ content: '' }, 'error', { error: { code: 502, message: 'Upstream went away.' } }),
  ),
  [
    'an error as an event of its own',
    { text: 'Hi', error: reported('Worker died.') },
    { body: `${sse(say('Hi'))}event: error\ndata: {"message":"Worker died."}\n\n` },
  ],
  [
    'an error as a field of its own (llama.cpp)',
    { text: 'Hi', error: reported('context is full') },
    { body: `${sse(say('Hi'))}error: {"code":500,"message":"context is full"}\n\n` },
  ],
  breaks('vLLM’s error in the stream', 'Engine died.', say('Hi'), {
    object: 'error',
    message: 'Engine died.',
    code: 500,
  }),
  [
    'an error with a status that means success',
    { error: reported('No credit.') },
    { body: { error: { message: 'No credit.' } } },
  ],
  // Other habits.
  [
    'an answer in one piece, although a stream was asked for',
    HI,
    {
      body: { id: 'x', choices: [{ index: 0, message: { role: 'assistant', content: 'Hi.' }, finish_reason: 'stop' }] },
    },
  ],
  [
    'comments to keep the connection, and empty choices at the end',
    HI,
    {
      body: `: OPENROUTER PROCESSING\n\n${sse(say('Hi.'), chunk({}, 'stop'), { choices: [], usage: { prompt_tokens: 3, completion_tokens: 2 } }, '[DONE]')}`,
    },
  ],
]);

it('counts one second as one', async () => {
  provider.wire.on(CHAT, refused(429, { error: { message: 'Slow down.' } }, { 'retry-after': '1' }));
  for (const tools of [[], [CLOCK]])
    expect(await provider.ask(tools, await provider.models(500))).toMatchObject({
      error: `${LIMITED}, try again in 1 second: Slow down.`,
    });
});

it('a model known to refuse a temperature is not sent one', async () => {
  provider.wire.on('/v1/models', { body: { data: [{ id: 'm', supported_parameters: ['tools'] }] } });
  provider.wire.on(CHAT, { body: spoken('Hi.') });
  expect((await provider.ask([])).text).toBe('Hi.');
  expect((await provider.ask([CLOCK])).text).toBe('Hi.');
  expect(provider.wire.to(CHAT).map(({ body }) => 'temperature' in body)).toEqual([false, false]);
});

it.each([
  [
    'by name (422, FastAPI)',
    422,
    { detail: [{ loc: ['body', 'stream_options'], msg: 'Extra inputs are not permitted' }] },
  ],
  ['by name (400)', 400, { error: { message: 'Unrecognized request argument supplied: stream_options' } }],
])('stream_options that were refused %s are not sent to that model again', async (_name, status, body) => {
  provider.wire.on(CHAT, (request) =>
    'stream_options' in request.body ? refused(status, body) : { body: spoken('Hi.') },
  );
  const models = await provider.models();
  for (const tools of [[], [CLOCK], []]) expect(await provider.ask(tools, models)).toMatchObject(HI);
  expect(provider.wire.to(CHAT).map((request) => 'stream_options' in request.body)).toEqual([
    true,
    false,
    false,
    false,
  ]);
});

it('max_tokens that was refused goes by its other name from then on', async () => {
  const message = "Unsupported parameter: 'max_tokens' is not supported. Use 'max_completion_tokens' instead.";
  provider.wire.on(CHAT, ({ body }) =>
    'max_tokens' in body ? refused(400, { error: { message } }) : { body: spoken('Hi.') },
  );
  const models = await provider.models();
  for (const tools of [[], [CLOCK], []])
    expect(await provider.ask(tools, models, { maxTokens: 700 })).toMatchObject(HI);
  expect(provider.wire.to(CHAT).map(({ body }) => [body.max_tokens, body.max_completion_tokens])).toEqual([
    [700, undefined],
    [undefined, 700],
    [undefined, 700],
    [undefined, 700],
  ]);
});

it.each([
  ['m', 600],
  ['gpt-5-mini', expect.toSatisfy((most: number) => most > 5_000 && most < 7_500)],
])('a model that thinks has more room for facts: %s', async (id, most) => {
  provider.wire.on('/v1/models', { body: { data: [{ id }] } });
  provider.wire.on(CHAT, { body: spoken('{"facts": []}') });
  const models = await provider.models();
  const { signal } = new AbortController();
  expect(await models.distil({ model: id, sentences: ['I bake.'], tokens: 7_500, signal })).toEqual([]);
  expect(provider.wire.to(CHAT).map(({ body }) => body.max_tokens)).toEqual([most]);
});

it('Ollama, which calls tools also where it is told not to, is shown none in the last step', async () => {
  serveOllama(provider.wire, { m: { capabilities: ['completion', 'tools'], context: 8_192 } });
  const calls = [{ index: 0, id: 'a', type: 'function', function: { name: 'clock', arguments: '{}' } }];
  provider.wire.on(CHAT, ({ body }) =>
    'tools' in body ? stream(chunk({ tool_calls: calls }), chunk({}, 'tool_calls'), '[DONE]') : { body: spoken('Hi.') },
  );
  expect(await provider.ask([CLOCK])).toMatchObject(HI);
  expect(provider.wire.to(CHAT)).toHaveLength(STEPS_MAX);
});

it('a field is sent again when the refusal had another reason', async () => {
  const body = { error: { message: 'Too long.' }, echo: { temperature: 0.3, stream_options: {} } };
  provider.wire.on(CHAT, refused(400, body));
  expect((await provider.ask([])).error).toBe('The provider refused the request (400): Too long.');
  expect(provider.wire.to(CHAT).map((request) => Object.keys(request.body).length)).toEqual([5, 4, 3]);
});

it('a temperature that was refused is not sent again', async () => {
  provider.wire.on(CHAT, ({ body }) =>
    'temperature' in body ? refused(400, { error: { message: 'No temperature, please.' } }) : { body: spoken('Hi.') },
  );
  const models = await provider.models();
  for (let i = 0; i < 2; i += 1) expect(await provider.ask([], models)).toMatchObject(HI);
  expect(provider.wire.to(CHAT).map(({ body }) => 'temperature' in body)).toEqual([true, false, false]);
  expect(models.resolve('m').temperature).toBe(false);
});
