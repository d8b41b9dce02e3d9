import { chunk, spoken, sse, type WireReply } from './openai-wire.ts';
import type { Habit } from './provider-habits.ts';

const stream = (...events: (object | string)[]): WireReply => ({ body: sse(...events) });
const raw = (body: string, type?: string): WireReply => ({ body, headers: type ? { 'content-type': type } : {} });
const HI = { text: 'Hi.', error: '' };
const SAYS_HI = chunk({ content: 'Hi.' });
const STOP = chunk({}, 'stop');
const END = [STOP, '[DONE]'] as const;
const USED = { prompt_tokens: 3, completion_tokens: 2 };
const COUNTED = { ...HI, usage: { inputTokens: 3, outputTokens: 2, estimated: false } };
const WHOLE = { choices: [{ message: { role: 'assistant', content: 'Hi.' }, finish_reason: 'stop' }] };
const reported = (said: string) => `The provider reported an error: ${said}`;
const brokeOff = (reason: string) => ({ text: 'Hi', error: `The provider broke off the answer (${reason}).` });

/** What harms no answer: each was seen at some server, and nothing of it is in OpenAI's documentation. */
export const HARMLESS: readonly Habit[] = [
  // Events that are none of ours.
  ['an event of its own with a word', HI, raw(`event: ping\ndata: keep-alive\n\n${spoken('Hi.')}`)],
  ['an event of its own with JSON', HI, raw(`event: ping\ndata: {"type":"ping"}\n\n${spoken('Hi.')}`)],
  ['an event that tells of a queue', HI, raw(`event: status\ndata: {"message":"You are second."}\n\n${spoken('Hi.')}`)],
  ['an event of its own with broken JSON', HI, raw(`event: trace\ndata: {"a":\n\n${spoken('Hi.')}`)],
  ['an event with a name and an answer', HI, raw(spoken('Hi.').replaceAll('data:', 'event: message\ndata:'))],
  ['empty data', HI, raw(`data:\n\ndata: \n\n${spoken('Hi.')}`)],
  ['data of one word', HI, stream('ping', SAYS_HI, ...END)],
  ['data that is a number, a text, null', HI, stream('1', '"ping"', 'null', SAYS_HI, ...END)],
  ['a JSON object without any field of an answer', HI, stream({ type: 'heartbeat' }, {}, SAYS_HI, ...END)],
  [
    'several pieces in one list',
    HI,
    stream(JSON.stringify([chunk({ content: 'H' }), chunk({ content: 'i.' })]), ...END),
  ],
  ['ids, a time to retry and unknown fields', HI, raw(`id: 1\nretry: soon\nx: y\n${spoken('Hi.')}`)],
  // Fields that are something else than documented.
  ['choices that is null beside usage', COUNTED, stream(SAYS_HI, STOP, { choices: null, usage: USED }, '[DONE]')],
  ['usage without choices', COUNTED, stream(SAYS_HI, STOP, { usage: USED }, '[DONE]')],
  ['usage in texts', COUNTED, stream(SAYS_HI, { ...STOP, usage: { prompt_tokens: '3', completion_tokens: '2' } })],
  ['usage in other words', COUNTED, stream(SAYS_HI, { ...STOP, usage: { input_tokens: 3, output_tokens: 2 } })],
  ['usage with every piece', COUNTED, stream({ ...SAYS_HI, usage: { prompt_tokens: 3 } }, { ...STOP, usage: USED })],
  ['usage of Groq', COUNTED, stream(SAYS_HI, { ...STOP, x_groq: { id: 'x', usage: USED } }, '[DONE]')],
  ['usage within the choice (Moonshot)', COUNTED, stream(SAYS_HI, { choices: [{ ...STOP.choices[0], usage: USED }] })],
  [
    'usage that is none',
    HI,
    stream({ ...SAYS_HI, usage: 'none' }, { ...STOP, usage: { prompt_tokens: -1 } }, '[DONE]'),
  ],
  ['choices that is no list', HI, stream({ choices: { delta: { content: 'Hi.' }, finish_reason: 'stop' } })],
  ['choices with empty ones', HI, stream({ choices: [null, { delta: { content: 'Hi.' }, finish_reason: 'stop' }] })],
  ['a delta that is null', HI, stream(SAYS_HI, { choices: [{ delta: null, finish_reason: 'stop' }] }, '[DONE]')],
  ['a delta that is a text', HI, stream({ choices: [{ delta: 'Hi.' }] }, ...END)],
  ['a message in place of a delta', HI, stream({ choices: [{ message: { content: 'Hi.' } }] }, ...END)],
  [
    'the whole message once more at its end',
    HI,
    stream(SAYS_HI, { choices: [{ message: { content: 'Hi.' }, finish_reason: 'stop' }] }),
  ],
  ['a text in place of a delta', HI, stream({ choices: [{ text: 'Hi.' }] }, ...END)],
  ['content that is a number', { text: '42', error: '' }, stream(chunk({ content: 42 }), ...END)],
  [
    'content in parts of several kinds',
    HI,
    stream(
      chunk({ content: ['H', { type: 'output_text', text: 'i' }, { text: '.' }, { type: 'image_url' }, null] }),
      ...END,
    ),
  ],
  ['content that is one part', HI, stream(chunk({ content: { type: 'text', text: 'Hi.', annotations: 7 } }), ...END)],
  [
    'another role, and metadata of other types',
    HI,
    stream(
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
  ],
  [
    'a choice with other types',
    HI,
    stream({
      choices: [
        {
          index: '0',
          delta: { role: 7, content: 'Hi.', refusal: {}, tool_calls: null, audio: 'x' },
          logprobs: 'none',
          finish_reason: 'stop',
        },
      ],
    }),
  ],
  ['tool calls that are empty', HI, stream(chunk({ content: 'Hi.', tool_calls: [], function_call: null }), ...END)],
  [
    'an error that is none',
    HI,
    stream(...[null, '', {}, false, [], { code: null }].map((error) => ({ ...chunk({}), error })), SAYS_HI, ...END),
  ],
  // Thinking.
  [
    'thinking that is an object',
    { thoughts: 'Hm.', ...HI },
    stream(chunk({ reasoning: { text: 'Hm.' } }), SAYS_HI, ...END),
  ],
  [
    'thinking in details',
    { thoughts: 'Hm.', ...HI },
    stream(chunk({ reasoning_details: [{ type: 'reasoning.text', text: 'Hm.' }] }), SAYS_HI, ...END),
  ],
  [
    'the same thinking in two fields',
    { thoughts: 'Hm.', ...HI },
    stream(
      chunk({ reasoning: 'Hm.', reasoning_details: [{ type: 'reasoning.summary', summary: 'Hm.' }] }),
      SAYS_HI,
      ...END,
    ),
  ],
  [
    'only the end of a thought',
    { thoughts: 'Hm.\n', ...HI },
    stream(...['Hm.', '\n</th', 'ink>', '\n\nHi.'].map((content) => chunk({ content })), ...END),
  ],
  ['other tags of thinking', { thoughts: 'Hm.', ...HI }, { body: spoken('<Reasoning>Hm.</reasoning>\nHi.') }],
  [
    'the end of a thought in code',
    { thoughts: '', text: 'Close `</think>` there.' },
    { body: spoken('Close `</think>` there.') },
  ],
  [
    'the end of a thought that came apart',
    { thoughts: 'Hm.', ...HI },
    stream(chunk({ reasoning_content: 'Hm.' }), chunk({ content: '</think>\n\nHi.' }), ...END),
  ],
  // How it ends.
  [
    'a reason that is empty in every piece',
    HI,
    stream(chunk({ content: 'H' }, ''), chunk({ content: 'i.' }, 'null'), ...END),
  ],
  ['a reason that is an object', HI, stream(SAYS_HI, { choices: [{ delta: {}, finish_reason: { type: 'stop' } }] })],
  ['a reason that nobody knows', { ...HI, cut: undefined }, stream(SAYS_HI, chunk({}, 'eos_token'))],
  ['no last blank line', HI, raw(spoken('Hi.').trimEnd())],
  ['no last blank line and no [DONE]', HI, raw(sse(SAYS_HI, STOP).trimEnd())],
  ['lines that end as Windows ends them', HI, raw(spoken('Hi.').replaceAll('\n', '\r\n'))],
  ['lines that end in carriage returns', HI, raw(spoken('Hi.').replaceAll('\n', '\r'))],
  ['a mark of byte order', HI, raw(`\uFEFF${spoken('Hi.')}`)],
  ['no blanks after the colons', HI, raw(spoken('Hi.').replaceAll('data: ', 'data:'))],
  ['[DONE] in another spelling', HI, stream(SAYS_HI, ' [done] ')],
  [
    'more after the end',
    HI,
    raw(`${spoken('Hi.')}data: {"error":{"message":"Too late."}}\n\nevent: error\ndata: late\n\n`),
  ],
  ['a connection that breaks after the reason', HI, { body: sse(SAYS_HI, STOP), breaks: true }],
  // Another form of the whole.
  [
    'lines of JSON without a stream',
    HI,
    raw(`${JSON.stringify(SAYS_HI)}\n${JSON.stringify(STOP)}\n`, 'application/x-ndjson'),
  ],
  ['a stream that is called JSON', HI, raw(spoken('Hi.'), 'application/json')],
  ['a stream that is called a web page', HI, raw(spoken('Hi.'), 'text/html')],
  ['a stream of no type', HI, raw(spoken('Hi.'), 'application/octet-stream')],
  ['a whole answer that is called text', HI, raw(JSON.stringify(WHOLE), 'text/plain')],
  ['a whole answer in many lines', HI, raw(JSON.stringify(WHOLE, null, 2), 'application/json')],
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

/** What isn't whole: the words stay, and the provider's reason is shown. */
const BROKEN: readonly Habit[] = [
  ...['error', 'abort', 'aborted', 'cancelled', 'network_error', 'insufficient_system_resource'].map(
    (reason): Habit => [`the reason ${reason}`, brokeOff(reason), { body: spoken('Hi', reason) }],
  ),
  [
    'the reason error, and its error in the next event',
    { text: 'Hi', error: reported('Worker died.') },
    stream(chunk({ content: 'Hi' }, 'error'), { error: { message: 'Worker died.' } }),
  ],
  [
    'a reason that nobody knows beside an error',
    { text: 'Hi', error: reported('Worker died.') },
    stream({ ...chunk({ content: 'Hi' }, 'oops'), error: { message: 'Worker died.' } }),
  ],
  [
    'an error within the choice',
    { text: 'Hi', error: reported('Upstream went away.') },
    stream({
      choices: [
        { delta: { content: 'Hi' }, finish_reason: 'error', error: { code: 502, message: 'Upstream went away.' } },
      ],
    }),
  ],
  [
    'an error that is a text',
    { text: 'Hi', error: reported('Out of memory.') },
    stream(chunk({ content: 'Hi' }), { error: 'Out of memory.' }),
  ],
  [
    'an error that is only true',
    { text: 'Hi', error: reported('Out of memory.') },
    stream(chunk({ content: 'Hi' }), { error: true, message: 'Out of memory.' }),
  ],
  [
    'an error by its type',
    { text: 'Hi', error: reported('Overloaded') },
    stream(chunk({ content: 'Hi' }), { type: 'error', message: 'Overloaded' }),
  ],
  [
    'an error by its code, before [DONE]',
    { text: 'Hi', error: reported('Worker died.') },
    stream(chunk({ content: 'Hi' }), { code: 500, message: 'Worker died.' }, '[DONE]'),
  ],
  [
    'an error event in words',
    { text: 'Hi', error: reported('Worker died.') },
    raw(`${sse(chunk({ content: 'Hi' }))}event: error\ndata: Worker died.\n\n`),
  ],
  [
    'FastAPI’s error in the stream',
    { text: 'Hi', error: reported('Worker died.') },
    stream(chunk({ content: 'Hi' }), { detail: 'Worker died.' }, '[DONE]'),
  ],
  [
    'MiniMax’ error with status 200',
    { error: reported('insufficient balance') },
    { body: { choices: null, base_resp: { status_code: 1008, status_msg: 'insufficient balance' } } },
  ],
  ...['application/json', 'text/plain', 'text/event-stream', 'text/html', 'application/octet-stream'].map(
    (type): Habit => [
      `an error with status 200 that is called ${type}`,
      { error: reported('No credit.') },
      raw('{"error":{"message":"No credit."}}', type),
    ],
  ),
  [
    'an error with status 200 in many lines',
    { error: reported('No credit.') },
    raw(JSON.stringify({ error: { message: 'No credit.' } }, null, 2), 'text/plain'),
  ],
  [
    'an error with status 200 in a list',
    { error: reported('No credit.') },
    { body: [{ error: { code: 429, message: 'No credit.' } }] },
  ],
  [
    'a sentence with status 200',
    { error: reported('The model is being loaded.') },
    raw('The model is being loaded.', 'text/plain'),
  ],
  [
    'an object with a message and status 200',
    { error: reported('The model is being loaded.') },
    { body: { message: 'The model is being loaded.' } },
  ],
  [
    'a sentence as the only event',
    { error: reported('The model is being loaded.') },
    stream('The model is being loaded.', '[DONE]'),
  ],
  [
    'broken JSON among the pieces',
    { text: 'Hi', error: 'The provider’s answer could not be understood.' },
    stream(chunk({ content: 'Hi' }), '{"choices":[{"delta":', ...END),
  ],
  [
    'a stream that ends within a piece',
    { text: 'Hi', error: 'The provider ended the answer before it was complete.' },
    raw(`${sse(chunk({ content: 'Hi' }))}data: {"choices":[{"del`),
  ],
];

export const ODD_STREAMS: readonly Habit[] = [...HARMLESS, ...BROKEN];
