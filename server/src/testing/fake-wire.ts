import { createServer, type IncomingHttpHeaders } from 'node:http';

export interface WireRequest {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  // Tests look into requests of every shape.
  body: ReturnType<typeof JSON.parse>;
}

/** An answer, byte for byte as a test gives it; an object is sent as JSON. */
export interface WireReply {
  status?: number;
  headers?: Record<string, string>;
  body: string | object;
  /** Breaks the connection after the body. */
  breaks?: boolean;
}

type Serve = (request: WireRequest) => WireReply;

export interface FakeWire {
  /** `http://127.0.0.1:PORT`. */
  origin: string;
  requests: WireRequest[];
  /** How a path is answered from now on; several answers come one after another, the last one for ever. */
  on(path: string, ...replies: (WireReply | Serve)[]): void;
  /** The requests to a path. */
  to(path: string): WireRequest[];
  reset(): void;
  close(): Promise<void>;
}

/** A real HTTP server on loopback that answers whatever a test tells it to: a model provider with habits of its own. */
export async function startFakeWire(): Promise<FakeWire> {
  const requests: WireRequest[] = [];
  const routes = new Map<string, (WireReply | Serve)[]>();
  const server = createServer(async (incoming, answer) => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk);
    const path = (incoming.url ?? '').split('?')[0] ?? '';
    const text = Buffer.concat(chunks).toString();
    const body = text === '' ? undefined : JSON.parse(text);
    const request = { method: incoming.method ?? '', path, headers: incoming.headers, body };
    requests.push(request);
    const replies = routes.get(path) ?? [];
    const next = replies.length > 1 ? replies.shift() : replies[0];
    const reply: WireReply =
      typeof next === 'function' ? next(request) : (next ?? { status: 404, body: { error: 'no such path' } });
    const isText = typeof reply.body === 'string';
    const kind = isText ? 'text/event-stream' : 'application/json';
    answer.writeHead(reply.status ?? 200, { 'content-type': kind, ...reply.headers });
    const words = isText ? String(reply.body) : JSON.stringify(reply.body);
    // Without its last bytes the answer is incomplete, even if its text looks whole.
    if (reply.breaks) answer.write(words, () => setImmediate(() => answer.destroy()));
    else answer.end(words);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The fake provider has no address.');
  return {
    origin: `http://127.0.0.1:${address.port}`,
    requests,
    on: (path, ...replies) => void routes.set(path, replies),
    to: (path) => requests.filter((request) => request.path === path),
    reset() {
      routes.clear();
      requests.length = 0;
    },
    close: () =>
      new Promise((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
}

/** Server-sent events, one for each value; a text is sent as it is. */
export const sse = (...events: (object | string)[]): string =>
  events.map((event) => `data: ${typeof event === 'string' ? event : JSON.stringify(event)}\n\n`).join('');

/** A chunk of chat completions. */
export const chunk = (delta: object, finish_reason: string | null = null, more: object = {}) => ({
  id: 'chatcmpl-1',
  object: 'chat.completion.chunk',
  created: 1,
  model: 'm',
  choices: [{ index: 0, delta, finish_reason }],
  ...more,
});

/** A whole streamed answer of a server that does as OpenAI does. */
export const spoken = (text: string, reason = 'stop'): string =>
  sse(chunk({ role: 'assistant', content: text }), chunk({}, reason), '[DONE]');

/** Ollama as its documentation has it: its list of models, what it shows of each, and which are loaded. */
export function serveOllama(
  wire: FakeWire,
  models: Record<string, { capabilities: string[]; context: number; parameters?: string; loaded?: number }>,
): void {
  const data = Object.keys(models).map((id) => ({ id, object: 'model', created: 1_727_300_000, owned_by: 'library' }));
  wire.on('/v1/models', { body: { object: 'list', data } });
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
