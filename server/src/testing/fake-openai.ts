import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { madeEmbedding } from './made-embedding.ts';

export type FakeMode = 'ok' | 'error' | 'cut' | 'silence' | 'garbage' | 'html' | 'empty' | 'stream-error';

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
  finishReason: 'stop' | 'length' | 'content_filter';
  /** Requested in every answer, as long as tools are offered and allowed; `arguments` is sent unchanged. */
  toolCalls: { name: string; arguments: string; id?: string }[];
  /** How many rounds request tools before the text comes. */
  toolRounds: number;
  /** How embeddings are answered, while everything else works. */
  embeddings: 'ok' | 'fail' | 'silence' | 'too-few' | 'too-short' | 'too-long' | 'infinite';
}

export interface FakeRequest {
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
  /** The client closed the connection before the answer was complete. */
  closedEarly: boolean;
}

export interface FakeOpenAI {
  /** For OPENAI_BASE_URL. */
  url: string;
  requests: FakeRequest[];
  /** Changes how the next requests are answered; omitted fields keep their value. */
  behave(change: Partial<FakeBehaviour>): void;
  /** Lets all answers go on that have begun, to the next place where they are held. */
  release(): void;
  /** Back to a friendly server that has seen nothing. */
  reset(): void;
  close(): Promise<void>;
}

const MODELS = ['gpt-3.5-turbo', 'gpt-4'].map((id) => ({ id, object: 'model', owned_by: 'openai' }));

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

/** A real HTTP server on loopback that speaks OpenAI's chat completions, well or badly. Port 0 takes a free one. */
export async function startFakeOpenAI(initial: Partial<FakeBehaviour> = {}, port = 0): Promise<FakeOpenAI> {
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
  const server = createServer((incoming, answer) => {
    const begun = released;
    serve(incoming, answer, { ...behaviour, held: (time) => gate(begun + time).promise }, requests).catch(() =>
      answer.destroy(),
    );
  });
  await new Promise<void>((done, fail) => {
    server.once('error', fail);
    server.listen(port, '127.0.0.1', done);
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The fake provider has no address.');
  return {
    url: `http://127.0.0.1:${address.port}/v1`,
    requests,
    behave: (change) => {
      behaviour = { ...behaviour, ...change };
    },
    release,
    reset: () => {
      release();
      behaviour = { ...FRIENDLY, ...initial };
      requests.length = 0;
    },
    close: () =>
      new Promise<void>((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
}

type Holding = FakeBehaviour & { held: (time: number) => Promise<void> };

async function serve(incoming: IncomingMessage, answer: ServerResponse, behaviour: Holding, requests: FakeRequest[]) {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk);
  const path = incoming.url ?? '';
  if (path.endsWith('/models')) return json(answer, 200, { object: 'list', data: MODELS });
  const request: FakeRequest = {
    path,
    headers: incoming.headers,
    body: JSON.parse(Buffer.concat(chunks).toString() || '{}'),
    closedEarly: false,
  };
  requests.push(request);
  answer.on('close', () => {
    request.closedEarly = !answer.writableFinished;
  });
  if (path.endsWith('/embeddings') && behaviour.embeddings === 'silence') return;
  if (path.endsWith('/embeddings') && behaviour.embeddings === 'fail') {
    return json(answer, 500, { error: { message: 'No embeddings today.' } });
  }
  if (path.endsWith('/embeddings') && ['ok', 'stream-error'].includes(behaviour.mode)) {
    return sendEmbeddings(answer, embeddings(request), behaviour.embeddings);
  }
  if (!path.endsWith('/chat/completions') && !path.endsWith('/embeddings')) {
    return json(answer, 404, { error: { message: 'No such path.', type: 'invalid_request_error' } });
  }
  await reply(answer, behaviour, request);
}

function embeddings({ body }: FakeRequest) {
  const size = body.dimensions ?? 64;
  const data = (body.input ?? []).map((text, index) => ({
    object: 'embedding',
    index,
    embedding: madeEmbedding(text, size),
  }));
  return { object: 'list', model: body.model, data, usage: { prompt_tokens: 1, total_tokens: 1 } };
}

/** Sends them correctly, or as a broken provider would. */
function sendEmbeddings(
  answer: ServerResponse,
  made: ReturnType<typeof embeddings>,
  how: FakeBehaviour['embeddings'],
): void {
  if (how === 'too-few') made.data.pop();
  if (how === 'too-short') for (const one of made.data) one.embedding.length = 7;
  if (how === 'too-long') for (const one of made.data) one.embedding.push(1, 2, 3);
  const text = JSON.stringify(made);
  answer.writeHead(200, { 'content-type': 'application/json' });
  // A number too large for a double: read as infinite.
  answer.end(how === 'infinite' ? text.replaceAll('"embedding":[', '"embedding":[1e999,') : text);
}

async function reply(answer: ServerResponse, behaviour: Holding, request: FakeRequest) {
  switch (behaviour.mode) {
    case 'error':
      if (behaviour.retryAfter !== undefined) answer.setHeader('retry-after', behaviour.retryAfter);
      if (behaviour.location !== undefined) answer.setHeader('location', behaviour.location);
      return json(answer, behaviour.status, { error: { message: behaviour.errorMessage, type: 'fake', code: null } });
    case 'html':
      answer.writeHead(200, { 'content-type': 'text/html' });
      return answer.end('<!doctype html><title>Login</title><p>Please sign in to the wireless network.</p>');
    case 'garbage':
      answer.writeHead(200, { 'content-type': request.body.stream ? 'text/event-stream' : 'application/json' });
      return answer.end(request.body.stream ? 'data: {"choices": [{"del\u0000\u0007ta": %%%\n\n' : '{"choices": %%%');
    case 'empty':
      answer.writeHead(200, { 'content-type': 'text/event-stream' });
      return answer.end();
    default:
      if (request.body.stream) return stream(answer, behaviour, request);
      return whole(answer, behaviour, request);
  }
}

async function stream(answer: ServerResponse, behaviour: Holding, request: FakeRequest) {
  answer.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
  answer.flushHeaders();
  if (wantsTools(behaviour, request)) return askForTools(answer, behaviour, request);
  const pieces = cutInto(behaviour.text, behaviour.deltas);
  const stopsAt = behaviour.mode === 'ok' ? pieces.length : Math.min(behaviour.after, pieces.length);
  for (const [index, piece] of pieces.slice(0, stopsAt).entries()) {
    if (index > 0 && behaviour.delayMs > 0) await sleep(behaviour.delayMs);
    const time = behaviour.heldAfter.indexOf(index);
    if (time !== -1) await Promise.race([behaviour.held(time), once(answer, 'close')]);
    if (answer.destroyed) return;
    answer.write(
      event(request, { choices: [{ index: 0, delta: { role: 'assistant', content: piece }, finish_reason: null }] }),
    );
  }
  if (behaviour.mode === 'silence') return;
  if (behaviour.mode === 'cut') {
    // Everything written must be sent before the socket is destroyed.
    await sleep(20);
    answer.socket?.resetAndDestroy();
    return;
  }
  if (behaviour.mode === 'stream-error') {
    answer.end(`data: ${JSON.stringify({ error: { message: behaviour.errorMessage, type: 'server_error' } })}\n\n`);
    return;
  }
  answer.write(event(request, { choices: [{ index: 0, delta: {}, finish_reason: behaviour.finishReason }] }));
  if (behaviour.usage) answer.write(event(request, { choices: [], usage: usageOf(behaviour) }));
  answer.end('data: [DONE]\n\n');
}

function wantsTools(behaviour: FakeBehaviour, { body }: FakeRequest): boolean {
  const rounds = (body.messages ?? []).filter((message) => message.role === 'tool').length;
  const asked = behaviour.toolCalls.length;
  return asked > 0 && body.tools !== undefined && body.tool_choice !== 'none' && rounds < asked * behaviour.toolRounds;
}

function askForTools(answer: ServerResponse, behaviour: FakeBehaviour, request: FakeRequest) {
  const calls = behaviour.toolCalls.map(({ id, ...call }, index) => ({
    index,
    // Some providers repeat the same ids in every round.
    id: id ?? `call_${index}`,
    type: 'function',
    function: call,
  }));
  const choice = (delta: object, reason: string | null) => ({ choices: [{ index: 0, delta, finish_reason: reason }] });
  answer.write(event(request, choice({ role: 'assistant', content: null, tool_calls: calls }, null)));
  answer.write(event(request, choice({}, 'tool_calls')));
  answer.end('data: [DONE]\n\n');
}

async function whole(answer: ServerResponse, behaviour: FakeBehaviour, request: FakeRequest) {
  if (behaviour.mode === 'silence') return;
  if (behaviour.mode === 'cut') {
    answer.writeHead(200, { 'content-type': 'application/json', 'content-length': '500' });
    answer.write('{"id": "fake"');
    await sleep(20);
    answer.socket?.resetAndDestroy();
    return;
  }
  if (behaviour.mode === 'stream-error') return json(answer, 500, { error: { message: behaviour.errorMessage } });
  json(answer, 200, {
    ...envelope(request, 'chat.completion'),
    choices: [{ index: 0, message: { role: 'assistant', content: behaviour.text }, finish_reason: 'stop' }],
    ...(behaviour.usage ? { usage: usageOf(behaviour) } : {}),
  });
}

function json(answer: ServerResponse, status: number, body: unknown) {
  answer.writeHead(status, { 'content-type': 'application/json' });
  answer.end(JSON.stringify(body));
}

const envelope = (request: FakeRequest, object: string) => ({
  id: 'chatcmpl-fake',
  object,
  created: 0,
  model: request.body.model ?? 'gpt-4',
});

const event = (request: FakeRequest, body: object) =>
  `data: ${JSON.stringify({ ...envelope(request, 'chat.completion.chunk'), ...body })}\n\n`;

const usageOf = ({ text }: FakeBehaviour) => ({
  prompt_tokens: 11,
  completion_tokens: text.length,
  total_tokens: 11 + text.length,
});

function cutInto(text: string, pieces: number): string[] {
  const points = Array.from(text);
  const size = Math.max(1, Math.ceil(points.length / Math.max(1, pieces)));
  const cut: string[] = [];
  for (let at = 0; at < points.length; at += size) cut.push(points.slice(at, at + size).join(''));
  return cut;
}
