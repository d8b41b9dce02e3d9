import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { listen } from './listen.ts';
import { madeEmbedding } from './made-embedding.ts';
import { chunk, sse, type WireReply } from './openai-wire.ts';

/** `scripted` answers only what `on` was told. */
export type FakeMode = 'ok' | 'error' | 'cut' | 'silence' | 'garbage' | 'html' | 'stream-error' | 'scripted';

export interface FakeBehaviour {
  mode: FakeMode;
  /** The whole answer; sent in `deltas` pieces of about the same length. */
  text: string;
  deltas: number;
  /** Between two deltas. */
  delayMs: number;
  /** The status of the mode `error`; `retryAfter` and `location` are sent if they are set. */
  status: number;
  retryAfter?: string;
  location?: string;
  errorMessage: string;
  /** After so many deltas an answer waits until it is released, at each of these places once more. */
  heldAfter: readonly number[];
  /** `cut` and `silence` begin after this many deltas. */
  after: number;
  usage: boolean;
  /** Why a streamed answer ended. */
  finishReason: string;
  /** Requested in every answer, as long as tools are offered and allowed; `arguments` is sent unchanged. */
  toolCalls: { name: string; arguments: string; id?: string }[];
  /** How many rounds request tools before the text comes. */
  toolRounds: number;
  /** How embeddings are answered, while everything else works. */
  embeddings: 'ok' | 'fail' | 'silence' | 'too-few' | 'too-short' | 'too-long' | 'infinite';
}

export interface FakeRequest {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  body: {
    input?: string[];
    dimensions?: number;
    model?: string;
    stream?: boolean;
    temperature?: number;
    messages?: { role: string; content: unknown }[];
    tools?: { function: { name: string; description: string; parameters: unknown } }[];
    tool_choice?: unknown;
  };
  /** Asked for an answer; titles, facts and summaries are asked for in the background. */
  isAnswer: boolean;
  /** The client closed the connection before the answer was complete. */
  closedEarly: boolean;
}

/** A request whose body a test looks into, whatever its shape. */
type WireRequest = Omit<FakeRequest, 'body'> & { body: ReturnType<typeof JSON.parse> };
type Reply = WireReply | 'silence' | 'cut';
type Script = (Reply | ((request: WireRequest) => Reply))[];

const listOf = (models: string[], owner: string) => ({
  object: 'list',
  data: models.map((id) => ({ id, object: 'model', created: 1_727_300_000, owned_by: owner })),
});

const FRIENDLY: FakeBehaviour = {
  mode: 'ok',
  text: 'Hello from the fake provider.',
  deltas: 5,
  delayMs: 0,
  heldAfter: [],
  status: 500,
  errorMessage: 'The fake provider was told to fail.',
  after: 2,
  usage: true,
  finishReason: 'stop',
  toolCalls: [],
  toolRounds: 1,
  embeddings: 'ok',
};

/** A real HTTP server on loopback that speaks OpenAI's chat completions, well or badly, or what a test tells it to. */
export async function startFakeOpenAI(initial: Partial<FakeBehaviour> = {}) {
  let behaviour = { ...FRIENDLY, ...initial };
  // A release counts for every answer that has begun, also for one that has not come to its place yet.
  const gates: PromiseWithResolvers<void>[] = [];
  const gate = (at: number) => (gates[at] ??= Promise.withResolvers());
  let released = 0;
  const release = () => {
    gate(released).resolve();
    released += 1;
  };
  const requests: FakeRequest[] = [];
  const scripts = new Map<string, Script>();
  const server = createServer(async (incoming, answer) => {
    const begun = released;
    const held = (time: number) => gate(begun + time).promise;
    try {
      const request = await read(incoming, answer);
      const path = request.path.split('?')[0] ?? '';
      // What models there are is asked in the background: it is no request that a test waits for.
      if (behaviour.mode === 'scripted' || !path.endsWith('/models')) requests.push(request);
      const script = scripts.get(path);
      const next = script !== undefined && script.length > 1 ? script.shift() : script?.[0];
      const reply = typeof next === 'function' ? next(request) : (next ?? replyTo(behaviour, request, path));
      // Nobody watches what is written in the background.
      const pace = request.isAnswer ? {} : { heldAfter: [], delayMs: 0 };
      if (reply === 'stream') await stream(answer, { ...behaviour, ...pace, held });
      else if (reply === 'cut') answer.destroy();
      else if (reply !== 'silence') sendReply(answer, reply);
    } catch {
      answer.destroy();
    }
  });
  const { origin, close } = await listen(server);
  return {
    /** `http://127.0.0.1:PORT`. */
    origin,
    /** For OPENAI_BASE_URL. */
    url: `${origin}/v1`,
    requests,
    /** How a path is answered from now on; several answers come one after another, the last one for ever. */
    on: (path: string, ...replies: Script) => void scripts.set(path, replies),
    /** The requests to a path. */
    to: (path: string): WireRequest[] => requests.filter((request) => request.path.split('?')[0] === path),
    /** Changes how the next requests are answered; omitted fields keep their value. */
    behave: (change: Partial<FakeBehaviour>) => void (behaviour = { ...behaviour, ...change }),
    /** Lets all answers go on that have begun, to the next place where they are held. */
    release,
    /** Back to a friendly server that has seen nothing. */
    reset: () => {
      release();
      behaviour = { ...FRIENDLY, ...initial };
      scripts.clear();
      requests.length = 0;
    },
    close,
  };
}
export type FakeOpenAI = Awaited<ReturnType<typeof startFakeOpenAI>>;

/** A provider that does only what a test tells it to. */
export const startFakeWire = () => startFakeOpenAI({ mode: 'scripted' });

/** How our questions outside of conversations begin. */
const BACKGROUND = /^You (?:name conversations|keep the notes)/u;

async function read(incoming: IncomingMessage, answer: ServerResponse): Promise<FakeRequest> {
  const { method = '', url: path = '', headers } = incoming;
  const body = JSON.parse((await text(incoming)) || '{}');
  const isAnswer = body.stream === true && !BACKGROUND.test(String(body.messages?.[0]?.content));
  const request: FakeRequest = { method, path, headers, body, isAnswer, closedEarly: false };
  answer.on('close', () => {
    request.closedEarly = !answer.writableFinished;
  });
  return request;
}

function sendReply(answer: ServerResponse, { status = 200, headers, body, breaks }: WireReply): void {
  const isText = typeof body === 'string';
  answer.writeHead(status, { 'content-type': isText ? 'text/event-stream' : 'application/json', ...headers });
  const words = isText ? body : JSON.stringify(body);
  // Without its last bytes the answer is incomplete, even if its text looks whole.
  if (breaks) answer.write(words, () => setImmediate(() => answer.destroy()));
  else answer.end(words);
}

/** What is answered in one piece, unless it streams or nothing comes. */
function replyTo(behaviour: FakeBehaviour, { body }: FakeRequest, path: string): WireReply | 'stream' | 'silence' {
  const { mode, status, retryAfter, location, errorMessage } = behaviour;
  if (mode === 'scripted') return { status: 404, body: { error: 'no such path' } };
  if (path.endsWith('/models')) return { body: listOf(['gpt-3.5-turbo', 'gpt-4'], 'openai') };
  if (path.endsWith('/embeddings')) {
    if (behaviour.embeddings === 'silence') return 'silence';
    if (behaviour.embeddings === 'fail') return { status: 500, body: { error: { message: 'No embeddings today.' } } };
    if (mode === 'ok' || mode === 'stream-error') return embeddings(body, behaviour.embeddings);
  } else if (!path.endsWith('/chat/completions')) {
    return { status: 404, body: { error: { message: 'No such path.', type: 'invalid_request_error' } } };
  }
  if (mode === 'error') {
    const headers = { ...(retryAfter && { 'retry-after': retryAfter }), ...(location && { location }) };
    return { status, headers, body: { error: { message: errorMessage, type: 'fake', code: null } } };
  }
  if (mode === 'html') {
    const page = '<!doctype html><title>Login</title><p>Please sign in to the wireless network.</p>';
    return { headers: { 'content-type': 'text/html' }, body: page };
  }
  if (body.stream) {
    if (mode === 'garbage') return { body: 'data: {"choices": [{"del\u0000\u0007ta": %%%\n\n' };
    return wantsTools(behaviour, body) ? askForTools(behaviour) : 'stream';
  }
  if (mode === 'silence') return 'silence';
  if (mode === 'stream-error') return { status: 500, body: { error: { message: errorMessage } } };
  const headers = { 'content-type': 'application/json' };
  if (mode === 'garbage') return { headers, body: '{"choices": %%%' };
  if (mode === 'cut') return { headers: { ...headers, 'content-length': '500' }, body: '{"id": "fake"', breaks: true };
  const choices = [{ index: 0, message: { role: 'assistant', content: behaviour.text }, finish_reason: 'stop' }];
  return { body: { ...chunk({}), object: 'chat.completion', choices, ...usageOf(behaviour) } };
}

/** Embeddings, or what a broken provider would send. */
function embeddings({ input = [], dimensions = 64, model }: FakeRequest['body'], how: FakeBehaviour['embeddings']) {
  const data = input.map((text, index) => ({ object: 'embedding', index, embedding: madeEmbedding(text, dimensions) }));
  if (how === 'too-few') data.pop();
  if (how === 'too-short') for (const one of data) one.embedding.length = 7;
  if (how === 'too-long') for (const one of data) one.embedding.push(1, 2, 3);
  const text = JSON.stringify({ object: 'list', model, data, usage: { prompt_tokens: 1, total_tokens: 1 } });
  return {
    headers: { 'content-type': 'application/json' },
    // A number too large for a double: read as infinite.
    body: how === 'infinite' ? text.replaceAll('"embedding":[', '"embedding":[1e999,') : text,
  };
}

async function stream(
  answer: ServerResponse,
  behaviour: FakeBehaviour & { held: (time: number) => Promise<void> },
): Promise<void> {
  answer.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
  answer.flushHeaders();
  const pieces = cutInto(behaviour.text, behaviour.deltas);
  const stopsAt = behaviour.mode === 'ok' ? pieces.length : Math.min(behaviour.after, pieces.length);
  for (const [index, piece] of pieces.slice(0, stopsAt).entries()) {
    if (index > 0 && behaviour.delayMs > 0) await sleep(behaviour.delayMs);
    const time = behaviour.heldAfter.indexOf(index);
    if (time !== -1) await Promise.race([behaviour.held(time), once(answer, 'close')]);
    if (answer.destroyed) return;
    answer.write(sse(chunk({ role: 'assistant', content: piece })));
  }
  if (behaviour.mode === 'silence') return;
  if (behaviour.mode === 'cut') {
    // Everything written must be sent before the socket is destroyed.
    await sleep(20);
    answer.socket?.resetAndDestroy();
    return;
  }
  if (behaviour.mode === 'stream-error') {
    answer.end(sse({ error: { message: behaviour.errorMessage, type: 'server_error' } }));
    return;
  }
  const usage = behaviour.usage ? [chunk({}, null, { choices: [], ...usageOf(behaviour) })] : [];
  answer.end(sse(chunk({}, behaviour.finishReason), ...usage, '[DONE]'));
}

function wantsTools(
  { toolCalls, toolRounds }: FakeBehaviour,
  { messages = [], tools, tool_choice }: FakeRequest['body'],
) {
  const rounds = messages.filter((message) => message.role === 'tool').length;
  return tools !== undefined && tool_choice !== 'none' && rounds < toolCalls.length * toolRounds;
}

function askForTools({ toolCalls }: FakeBehaviour): WireReply {
  const calls = toolCalls.map(({ id, ...call }, index) => ({
    index,
    // Some providers repeat the same ids in every round.
    id: id ?? `call_${index}`,
    type: 'function',
    function: call,
  }));
  const asked = chunk({ role: 'assistant', content: null, tool_calls: calls });
  return { body: sse(asked, chunk({}, 'tool_calls'), '[DONE]') };
}

const usageOf = ({ text, usage }: FakeBehaviour) =>
  usage && {
    usage: { prompt_tokens: 11, completion_tokens: text.length, total_tokens: 11 + text.length },
  };

function cutInto(text: string, pieces: number): string[] {
  const points = Array.from(text);
  const size = Math.max(1, Math.ceil(points.length / Math.max(1, pieces)));
  const cut: string[] = [];
  for (let at = 0; at < points.length; at += size) cut.push(points.slice(at, at + size).join(''));
  return cut;
}

/** Ollama as its documentation has it: its list of models, what it shows of each, and which are loaded. */
export function serveOllama(
  wire: FakeOpenAI,
  models: Record<string, { capabilities: string[]; context: number; parameters?: string; loaded?: number }>,
): void {
  wire.on('/v1/models', { body: listOf(Object.keys(models), 'library') });
  wire.on('/api/show', ({ body }) => {
    const model = models[body.model];
    if (model === undefined) return { status: 404, body: { error: `model '${body.model}' not found` } };
    const { capabilities, parameters = '', context } = model;
    const model_info = { 'general.architecture': 'llama', 'llama.context_length': context };
    return {
      body: { modelfile: '# …', parameters, template: '', details: { family: 'llama' }, model_info, capabilities },
    };
  });
  const running = Object.entries(models).filter(([, { loaded }]) => loaded !== undefined);
  wire.on('/api/ps', {
    body: { models: running.map(([name, { loaded }]) => ({ name, model: name, size: 1, context_length: loaded })) },
  });
}
