import { setTimeout as pause } from 'node:timers/promises';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import {
  CallToolResultSchema,
  ElicitRequestSchema,
  ErrorCode,
  McpError,
  type Progress,
} from '@modelcontextprotocol/sdk/types.js';
import { explainConnection, type Trouble } from './explain-connection.ts';
import { type HttpServer, sseTransport, streamableTransport } from './http-transport.ts';
import {
  type Ending,
  type McpAnswer,
  type McpCall,
  type McpConnection,
  McpRefused,
  McpUnreachable,
  type StdioServer,
} from './mcp-connection.ts';
import { readContents } from './read-contents.ts';
import { readResult } from './read-result.ts';
import { readTools } from './read-tools.ts';
import { BoundedStdioTransport } from './stdio-transport.ts';

const CONNECT_MS = 10_000;
const BYE_MS = 1_000;
/** A program may have to be installed by its package manager first. */
const START_MS = 60_000;
const CALL_MS = 50_000;
/** With progress. */
const CALL_MAX_MS = 30 * 60_000;
const MESSAGE_MAX = 300;
/** What a server's answer to the first request says when it speaks only the protocol's first transport. */
const MAY_BE_OLD = [400, 404, 405, 406, 415];

/** Starts a server as a process and greets it; throws McpUnreachable within a minute when that fails, or when `signal` aborts. */
export async function connectStdio(server: StdioServer, signal: AbortSignal): Promise<McpConnection> {
  const transport = new BoundedStdioTransport(server);
  const ending = () => ({ how: transport.ending, lastLines: transport.lastLines });
  try {
    return await connect(transport, { patienceMs: START_MS, ending, signal });
  } catch (error) {
    const isLate = error instanceof McpError && error.code === ErrorCode.RequestTimeout;
    const how = transport.ending || (error instanceof Error ? error.message : String(error));
    if (isLate) throw new McpUnreachable('timeout', 'It did not answer within a minute.', transport.lastLines);
    throw new McpUnreachable('ended', how, transport.lastLines);
  }
}

/** Greets a server at an address, by the old transport where it has only that; throws McpUnreachable. */
export async function connectHttp(server: HttpServer, only?: 'sse'): Promise<McpConnection> {
  const { host } = new URL(server.url);
  const trouble: Trouble = {};
  const ending = () => ({ how: 'The connection ended.', lastLines: [] });
  try {
    const { transport, bye } =
      only === 'sse' ? { transport: sseTransport(server, trouble) } : streamableTransport(server, trouble);
    return explained(await connect(transport, { patienceMs: CONNECT_MS, ending, bye }), trouble, host);
  } catch (error) {
    const isOld = only === undefined && MAY_BE_OLD.includes(trouble.status ?? 0);
    const old = isOld ? await connectHttp(server, 'sse').catch(() => null) : null;
    if (old !== null) return old;
    throw explainConnection(error, trouble, host);
  }
}

/** The connection, with the reasons of HTTP for what fails later. */
function explained(connection: McpConnection, trouble: Trouble, host: string): McpConnection {
  const telling = async <T>(work: () => Promise<T>): Promise<T> => {
    delete trouble.status;
    delete trouble.error;
    try {
      return await work();
    } catch (error) {
      if (error instanceof McpRefused || (trouble.status === undefined && trouble.error === undefined)) throw error;
      throw explainConnection(error, trouble, host);
    }
  };
  const { contents } = connection;
  return {
    ...connection,
    contents: {
      resources: (signal) => telling(() => contents.resources(signal)),
      prompts: (signal) => telling(() => contents.prompts(signal)),
      readResource: (uri, signal) => telling(() => contents.readResource(uri, signal)),
      getPrompt: (name, given, signal) => telling(() => contents.getPrompt(name, given, signal)),
    },
    listTools: (signal) => telling(() => connection.listTools(signal)),
    call: (name, input, call) => telling(() => connection.call(name, input, call)),
  };
}

interface Connecting {
  patienceMs: number;
  ending: () => Ending;
  /** Said before the connection is closed. */
  bye?: (() => Promise<void>) | undefined;
  signal?: AbortSignal;
}

async function connect(transport: Transport, { patienceMs, ending, bye, signal }: Connecting): Promise<McpConnection> {
  // Calls that can ask the person while they work.
  const asking = new Set<McpCall>();
  const client = new Client({ name: 'atelier', version: '1' }, { capabilities: { elicitation: {} } });
  client.setRequestHandler(ElicitRequestSchema, async ({ params }) => {
    const [call, ...others] = asking;
    // On a shared connection nothing says which of several calls a question belongs to.
    if (call?.ask === undefined || others.length > 0 || !('requestedSchema' in params)) return { action: 'cancel' };
    const { message, requestedSchema: schema } = params;
    return call.ask({ message, schema: { ...schema } });
  });
  client.fallbackRequestHandler = async ({ method }) => {
    const isSampling = method === 'sampling/createMessage';
    throw new McpError(
      ErrorCode.MethodNotFound,
      isSampling ? 'Servers may not use the models of this installation.' : `${method} is not supported.`,
    );
  };
  const { promise: closed, resolve: end } = Promise.withResolvers<Ending>();
  client.onclose = () => end(ending());
  client.onerror = () => {};
  const late = Promise.withResolvers<never>();
  // The old transport's start waits for the server without an end.
  const giveUp = () => late.reject(new McpError(ErrorCode.RequestTimeout, 'no answer'));
  const timer = setTimeout(giveUp, patienceMs);
  signal?.addEventListener('abort', giveUp, { once: true });
  try {
    await Promise.race([client.connect(transport, { timeout: patienceMs }), late.promise]);
  } catch (error) {
    await transport.close().catch(() => {});
    throw error;
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', giveUp);
  }
  return {
    closed,
    contents: readContents(client),
    listTools: (signal) => readTools(client, signal),
    call: (name, input, call) => callTool(client, asking, { name, input }, call),
    close: async () => {
      // A server keeps what belongs to a session until it ends, a browser for example.
      if (bye !== undefined) await Promise.race([bye().catch(() => {}), pause(BYE_MS, undefined, { ref: false })]);
      await client.close().catch(() => {});
    },
  };
}

async function callTool(
  client: Client,
  asking: Set<McpCall>,
  { name, input }: { name: string; input: Record<string, unknown> },
  call: McpCall,
) {
  const patience = watchPatience(call.signal);
  const heard: McpCall = {
    ...call,
    ask: async (question): Promise<McpAnswer> => {
      if (call.ask === undefined) return { action: 'cancel' };
      patience.pause();
      return call.ask(question).finally(patience.begin);
    },
  };
  asking.add(heard);
  try {
    const result = await client.request(
      { method: 'tools/call', params: { name, arguments: input } },
      CallToolResultSchema,
      {
        timeout: CALL_MAX_MS,
        maxTotalTimeout: CALL_MAX_MS,
        signal: patience.signal,
        onprogress: (progress) => {
          patience.begin();
          call.onProgress?.(readProgress(progress));
        },
      },
    );
    return readResult(result);
  } catch (error) {
    if (patience.isOver()) throw new McpUnreachable('timeout', 'The server did not answer within 50 seconds.');
    throw error;
  } finally {
    patience.stop();
    asking.delete(heard);
  }
}

/** Aborts when nothing was heard for a while; asking the person doesn't count. */
function watchPatience(signal: AbortSignal) {
  const over = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const stop = () => clearTimeout(timer);
  const begin = () => {
    stop();
    timer = setTimeout(() => over.abort(new Error('no progress')), CALL_MS);
  };
  begin();
  return {
    signal: AbortSignal.any([signal, over.signal]),
    begin,
    pause: stop,
    stop,
    isOver: () => over.signal.aborted,
  };
}

const readProgress = ({ progress, total, message }: Progress) => ({
  done: progress,
  ...(total === undefined ? {} : { total }),
  ...(message === undefined ? {} : { message: message.slice(0, MESSAGE_MAX).replaceAll('\0', '').toWellFormed() }),
});
