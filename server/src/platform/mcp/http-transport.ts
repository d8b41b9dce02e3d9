import { setImmediate as nextTurn } from 'node:timers/promises';
import { SSEClientTransport } from '@modelcontextprotocol/sdk/client/sse.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { ErrorCode, JSONRPCRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { NO_ANSWER, type Trouble } from './explain-connection.ts';
import { readMessageText } from './read-message.ts';

/** A fetch with the signature of the platform's, which decides what may be reached. */
export type Fetch = (url: string | URL, init?: RequestInit) => Promise<Response>;

/** An answer is read completely well within this time. */
const ENDED_MS = 1_000;
/** Everything that arrives between two of our requests. */
const RESPONSE_MAX = 16 * 1024 * 1024;

export interface HttpServer {
  url: string;
  headers: Record<string, string>;
  fetchFrom: Fetch;
}

/** The protocol's present transport, and how to end its session; what goes wrong stands in `trouble`. */
export function streamableTransport({ url, headers, fetchFrom }: HttpServer, trouble: Trouble) {
  const watch = watchResponses(fetchFrom, trouble, () => void transport.close().catch(() => {}));
  let isListening = false;
  const transport = new StreamableHTTPClientTransport(new URL(url), {
    fetch: async (target, init) => {
      if (init?.method === 'GET' && !new Headers(init.headers).has('last-event-id')) {
        // The library opens a stream that has ended again and again, though nothing in it can be resumed.
        if (isListening) return new Response(null, { status: 405 });
        isListening = true;
      }
      const id = askedId(init);
      let goesOn = false;
      const ended = () =>
        id !== undefined && setTimeout(() => void (goesOn || refuse(transport, id)), ENDED_MS).unref();
      // The stream for what the server says unasked is optional: a refusal of it means nothing.
      return watch(target, init, { ended, counts: init?.method === 'POST', onId: () => (goesOn = true) });
    },
    requestInit: { headers },
    reconnectionOptions: {
      // A server may end the stream of an answer and go on in another.
      maxRetries: 1,
      initialReconnectionDelay: 1_000,
      maxReconnectionDelay: 1_000,
      reconnectionDelayGrowFactor: 1,
    },
  });
  // Its `sessionId` may be undefined, which the interface types differently.
  return { transport: transport as Transport, bye: () => transport.terminateSession() };
}

/** The protocol's first transport, which older servers speak. */
export function sseTransport({ url, headers, fetchFrom }: HttpServer, trouble: Trouble): Transport {
  const watch = watchResponses(fetchFrom, trouble, () => void transport.close().catch(() => {}));
  const transport = new SSEClientTransport(new URL(url), {
    fetch: (target, init) => watch(target, init, { ended: () => {}, counts: true }),
    requestInit: { headers },
  });
  return transport;
}

/** The id of the request that is sent; its answer can only come in the response. */
function askedId(init: RequestInit | undefined): string | number | undefined {
  if (typeof init?.body !== 'string') return undefined;
  const request = JSONRPCRequestSchema.safeParse(JSON.parse(init.body));
  return request.success ? request.data.id : undefined;
}

/** Answers for a server that ended without answering; ignored if an answer did come. */
const refuse = (transport: StreamableHTTPClientTransport, id: string | number) =>
  transport.onmessage?.({
    jsonrpc: '2.0',
    id,
    error: { code: ErrorCode.ConnectionClosed, message: NO_ANSWER },
  });

interface Watched {
  ended: () => void;
  /** Whether a refusal of this request is a failure of the server. */
  counts: boolean;
  /** Told when an event has an id, by which its stream can be resumed. */
  onId?: () => void;
}

/** A fetch that notes what goes wrong, and fails once too much arrives. */
function watchResponses(fetchFrom: Fetch, trouble: Trouble, tooMuch: () => void) {
  let bytes = 0;
  return async (
    target: string | URL,
    init: RequestInit | undefined,
    { ended, counts, onId }: Watched,
  ): Promise<Response> => {
    if (init?.method === 'POST') bytes = 0;
    // A turn later the connection that has just answered is free again: others may be idle for long, and ended unseen.
    await nextTurn();
    let response: Response;
    try {
      response = await fetchFrom(target, init);
    } catch (error) {
      if (counts && init?.signal?.aborted !== true) trouble.error = error;
      throw error;
    }
    if (counts && !response.ok) Object.assign(trouble, { status: response.status, ...leadsTo(response, target) });
    if (response.body === null || response.status === 202 || response.status === 204) return response;
    const counted = response.body.pipeThrough(
      new TransformStream<Uint8Array, Uint8Array>({
        transform(chunk, controller) {
          bytes += chunk.byteLength;
          if (bytes <= RESPONSE_MAX) return controller.enqueue(chunk);
          controller.error(new Error('the server sent too much'));
          tooMuch();
        },
        flush: ended,
        cancel: ended,
      }),
    );
    const { status, statusText, headers } = response;
    return new Response(readable(counted, headers.get('content-type') ?? '', onId), {
      status,
      statusText,
      headers: [...headers],
    });
  };
}

/** A response's messages as the library can read them: one as the whole body, or one in each line of data of its events. */
function readable(body: ReadableStream<Uint8Array>, type: string, onId = () => {}): ReadableStream<Uint8Array> {
  const isEvents = type.includes('text/event-stream');
  if (!isEvents && !type.includes('application/json')) return body;
  const read = (line: string) =>
    !isEvents ? readMessageText(line) : line.startsWith('data:') ? `data:${readMessageText(line.slice(5))}` : line;
  let pending: string[] = [];
  const lines = new TransformStream<string, string>({
    transform(chunk, controller) {
      pending.push(chunk);
      if (!isEvents || !chunk.includes('\n')) return;
      const whole = pending.join('').split('\n');
      pending = [whole.pop() ?? ''];
      if (whole.some((line) => line.startsWith('id:'))) onId();
      for (const line of whole) controller.enqueue(`${read(line)}\n`);
    },
    // Some servers leave out the empty line that ends their last event.
    flush: (controller) => controller.enqueue(`${read(pending.join(''))}${isEvents ? '\n\n' : ''}`),
  });
  return body.pipeThrough(new TextDecoderStream()).pipeThrough(lines).pipeThrough(new TextEncoderStream());
}

function leadsTo(response: Response, from: string | URL): Pick<Trouble, 'leadsTo'> {
  const target = URL.parse(response.headers.get('location') ?? '', String(from));
  return response.status >= 300 && response.status < 400 && target !== null ? { leadsTo: target.host } : {};
}
