import { chunk, spoken, sse, type WireReply } from './fake-wire.ts';

/** What a person gets of an answer. */
interface Gives {
  text: string;
  thoughts: string;
  cut: string | undefined;
  error: string;
  waits: string[];
}

interface Habit {
  name: string;
  says: WireReply[];
  gives: Partial<Gives>;
  patienceMs?: number;
}

export const CHAT = '/v1/chat/completions';
const stream = (...events: (object | string)[]): WireReply => ({ body: sse(...events) });
const END = [chunk({}, 'stop'), '[DONE]'] as const;
/** An answer that is none. */
export const refused = (status: number, body: object | string, headers: Record<string, string> = {}): WireReply => ({
  status,
  body,
  headers,
});

/** Each habit of a provider, and what a person gets. */
export const HABITS: readonly Habit[] = [
  // How an answer ends.
  { name: 'a reason and [DONE]', says: [{ body: spoken('Hi.') }], gives: { text: 'Hi.', cut: undefined, error: '' } },
  {
    name: '[DONE] without a reason is an end',
    says: [stream(chunk({ content: 'Hi.' }), '[DONE]')],
    gives: { text: 'Hi.', error: '' },
  },
  {
    name: 'a reason without [DONE] is an end',
    says: [stream(chunk({ content: 'Hi.' }, 'stop'))],
    gives: { text: 'Hi.', error: '' },
  },
  {
    name: 'neither of them: it broke off',
    says: [stream(chunk({ content: 'Hi' }))],
    gives: { text: 'Hi', error: 'The provider ended the answer before it was complete.' },
  },
  { name: 'length', says: [{ body: spoken('Once upon', 'length') }], gives: { text: 'Once upon', cut: 'length' } },
  {
    name: 'Mistral’s word for length',
    says: [{ body: spoken('Once upon', 'model_length') }],
    gives: { cut: 'length' },
  },
  {
    name: 'a content filter',
    says: [{ body: spoken('I would', 'content_filter') }],
    gives: { text: 'I would', cut: 'filter' },
  },
  {
    name: 'a content filter before the first word',
    says: [stream(chunk({}, 'content_filter'), '[DONE]')],
    gives: { text: '', error: 'The provider’s content filter stopped this answer.' },
  },
  {
    name: 'length while it still thinks',
    says: [stream(chunk({ reasoning_content: 'Well…' }), chunk({}, 'length'), '[DONE]')],
    gives: {
      thoughts: 'Well…',
      error: 'The model reached its length limit before it answered. Ask for less, or choose a model that reads more.',
    },
  },
  // Thinking.
  {
    name: 'reasoning_content (DeepSeek, llama.cpp)',
    says: [
      stream(
        chunk({ reasoning_content: 'Hm. ' }),
        chunk({ reasoning_content: 'Yes.' }),
        chunk({ content: 'Hi.' }),
        ...END,
      ),
    ],
    gives: { thoughts: 'Hm. Yes.', text: 'Hi.' },
  },
  {
    name: 'reasoning (OpenRouter, Ollama, vLLM)',
    says: [stream(chunk({ reasoning: 'Hm.', content: '' }), chunk({ content: 'Hi.' }), ...END)],
    gives: { thoughts: 'Hm.', text: 'Hi.' },
  },
  {
    name: '<think> in pieces',
    says: [
      stream(...['\n<th', 'ink>Hm', '. </', 'think', '>\n\nHi', ' you.'].map((content) => chunk({ content })), ...END),
    ],
    gives: { thoughts: 'Hm. ', text: 'Hi you.' },
  },
  {
    name: '<think> that the answer writes about',
    says: [{ body: spoken('Put <think>x</think> first.') }],
    gives: { thoughts: '', text: 'Put <think>x</think> first.' },
  },
  {
    name: 'content in parts (Mistral)',
    says: [
      stream(
        chunk({ content: [{ type: 'thinking', thinking: [{ type: 'text', text: 'Hm.' }] }] }),
        chunk({ content: [{ type: 'text', text: 'Hi.' }] }),
        ...END,
      ),
    ],
    gives: { thoughts: 'Hm.', text: 'Hi.' },
  },
  // Busy.
  {
    name: '429 with Retry-After: waits and says why',
    says: [refused(429, { error: { message: 'Slow down.' } }, { 'retry-after': '1' }), { body: spoken('Hi.') }],
    gives: { text: 'Hi.', error: '', waits: ['The provider limits requests (429). Trying again in 1 second.'] },
  },
  {
    name: '429 for longer than patience lasts',
    says: [refused(429, { error: { message: 'Slow down.' } }, { 'retry-after': '60' })],
    gives: {
      error: 'The provider limits requests or has no credit left (429), try again in 60 seconds: Slow down.',
      waits: [],
    },
  },
  {
    name: '429 for want of money: no use in waiting',
    says: [refused(429, { error: { message: 'You exceeded your quota.', code: 'insufficient_quota' } })],
    gives: { error: 'The provider limits requests or has no credit left (429): You exceeded your quota.' },
  },
  {
    name: '503 while a model is loaded (llama.cpp)',
    says: [
      refused(503, { error: { code: 503, message: 'Loading model', type: 'unavailable_error' } }),
      refused(503, { error: { code: 503, message: 'Loading model', type: 'unavailable_error' } }),
      { body: spoken('Hi.') },
    ],
    gives: { text: 'Hi.', error: '' },
  },
  {
    name: '503 for ever',
    says: [refused(503, { error: { message: 'Loading model' } })],
    gives: { error: 'The provider failed (503): Loading model' },
    patienceMs: 5_000,
  },
  // Temperature.
  {
    name: 'a model that refuses a temperature',
    says: [
      refused(400, {
        error: {
          message: "Unsupported value: 'temperature' does not support 0.3 with this model.",
          param: 'temperature',
        },
      }),
      { body: spoken('Hi.') },
    ],
    gives: { text: 'Hi.', error: '' },
  },
  // What they say when something is wrong.
  {
    name: 'OpenAI’s error',
    says: [
      refused(400, { error: { message: 'Too long.', type: 'invalid_request_error', code: 'context_length_exceeded' } }),
    ],
    gives: { error: 'The provider refused the request (400): Too long.' },
  },
  {
    name: 'Ollama’s and LM Studio’s error: a text',
    says: [refused(404, { error: "model 'm' not found" })],
    gives: { error: "The provider does not know this model or address (404): model 'm' not found" },
  },
  {
    name: 'vLLM’s error',
    says: [
      refused(400, {
        object: 'error',
        message: 'The length is 9000.',
        type: 'BadRequestError',
        param: null,
        code: 400,
      }),
    ],
    gives: { error: 'The provider refused the request (400): The length is 9000.' },
  },
  {
    name: 'FastAPI’s error',
    says: [refused(422, { detail: [{ loc: ['body', 'model'], msg: 'Field required', type: 'missing' }] })],
    gives: { error: 'The provider refused the request (422): Field required' },
  },
  {
    name: 'Gemini’s error: a list',
    says: [refused(400, [{ error: { code: 400, message: 'API key not valid.', status: 'INVALID_ARGUMENT' } }])],
    gives: { error: 'The provider refused the request (400): API key not valid.' },
  },
  {
    name: 'OpenRouter’s error, with the real one inside',
    says: [
      refused(400, {
        error: {
          code: 400,
          message: 'Provider returned error',
          metadata: { raw: '{"error":{"message":"No such tool."}}', provider_name: 'X' },
        },
      }),
    ],
    gives: { error: 'The provider refused the request (400): No such tool.' },
  },
  {
    name: 'plain text',
    says: [refused(400, 'model is required', { 'content-type': 'text/plain' })],
    gives: { error: 'The provider refused the request (400): model is required' },
  },
  {
    name: 'a page of a proxy: its markup is no sentence',
    says: [refused(500, '<html><h1>500</h1></html>', { 'content-type': 'text/html' })],
    gives: { error: 'The provider failed (500): Internal Server Error' },
  },
  {
    name: 'an error in the stream',
    says: [stream(chunk({ content: 'Hi' }), { error: { message: 'Out of memory.', code: 500 } })],
    gives: { text: 'Hi', error: 'The provider reported an error: Out of memory.' },
  },
  {
    name: 'an error in the stream, as OpenRouter sends it',
    says: [
      stream(
        chunk({ content: 'Hi' }),
        chunk({ content: '' }, 'error', { error: { code: 502, message: 'Upstream went away.' } }),
      ),
    ],
    gives: { text: 'Hi', error: 'The provider reported an error: Upstream went away.' },
  },
  {
    name: 'an error as an event of its own',
    says: [{ body: `${sse(chunk({ content: 'Hi' }))}event: error\ndata: {"message":"Worker died."}\n\n` }],
    gives: { text: 'Hi', error: 'The provider reported an error: Worker died.' },
  },
  {
    name: 'an error as a field of its own (llama.cpp)',
    says: [{ body: `${sse(chunk({ content: 'Hi' }))}error: {"code":500,"message":"context is full"}\n\n` }],
    gives: { text: 'Hi', error: 'The provider reported an error: context is full' },
  },
  {
    name: 'vLLM’s error in the stream',
    says: [stream(chunk({ content: 'Hi' }), { object: 'error', message: 'Engine died.', code: 500 })],
    gives: { text: 'Hi', error: 'The provider reported an error: Engine died.' },
  },
  {
    name: 'an error with a status that means success',
    says: [{ body: { error: { message: 'No credit.' } } }],
    gives: { error: 'The provider reported an error: No credit.' },
  },
  // Other habits.
  {
    name: 'an answer in one piece, although a stream was asked for',
    says: [
      {
        body: {
          id: 'x',
          choices: [{ index: 0, message: { role: 'assistant', content: 'Hi.' }, finish_reason: 'stop' }],
        },
      },
    ],
    gives: { text: 'Hi.', error: '' },
  },
  {
    name: 'comments to keep the connection, and empty choices at the end',
    says: [
      {
        body: `: OPENROUTER PROCESSING\n\n${sse(chunk({ content: 'Hi.' }), chunk({}, 'stop'), { choices: [], usage: { prompt_tokens: 3, completion_tokens: 2 } }, '[DONE]')}`,
      },
    ],
    gives: { text: 'Hi.', error: '' },
  },
];
