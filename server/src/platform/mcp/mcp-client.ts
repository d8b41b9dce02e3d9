import { setTimeout as pause } from 'node:timers/promises';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { ErrorCode, McpError, type Progress } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import { type Watch, watchSilence } from '../silence.ts';
import { storableText } from '../storable-json.ts';
import { askServer, isUnreadable } from './ask-server.ts';
import { explainConnection, isLate, NO_ANSWER, type Trouble } from './explain-connection.ts';
import { type HttpServer, sseTransport, streamableTransport } from './http-transport.ts';
import {
  aroundRequests,
  type Ending,
  type McpAnswer,
  type McpCall,
  type McpConnection,
  type McpQuestion,
  McpRefused,
  McpUnreachable,
  type StdioServer,
} from './mcp-connection.ts';
import { plainReason } from './plain-reason.ts';
import { readContents } from './read-contents.ts';
import { readResult, toolResult } from './read-result.ts';
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
    const reason = error instanceof Error ? plainReason(error.message) : String(error);
    // The library ends a process whose greeting it can't read.
    const how = isUnreadable(error) ? 'Its greeting can’t be read.' : transport.ending || reason;
    if (isLate(error)) throw new McpUnreachable('timeout', 'It did not answer within a minute.', transport.lastLines);
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
const explained = (connection: McpConnection, trouble: Trouble, host: string): McpConnection =>
  aroundRequests(connection, async (request) => {
    delete trouble.status;
    delete trouble.error;
    try {
      return await request();
    } catch (error) {
      if (error instanceof McpRefused || (trouble.status === undefined && trouble.error === undefined)) throw error;
      throw explainConnection(error, trouble, host);
    }
  });

interface Connecting {
  patienceMs: number;
  ending: () => Ending;
  /** Said before the connection is closed. */
  bye?: (() => Promise<void>) | undefined;
  signal?: AbortSignal;
}

async function connect(transport: Transport, { patienceMs, ending, bye, signal }: Connecting): Promise<McpConnection> {
  const asking = new Set<Asking>();
  const client = new Client({ name: 'atelier', version: '1' }, { capabilities: { elicitation: {} } });
  // The library's own handler drops what a form says of its fields, and refuses one for a word that it doesn't know.
  client.fallbackRequestHandler = async ({ method, params }, { signal: gaveUp }) => {
    if (method === 'elicitation/create') return answerQuestion(asking, params, gaveUp);
    const isSampling = method === 'sampling/createMessage';
    throw new McpError(
      ErrorCode.MethodNotFound,
      isSampling ? 'Servers may not use the models of this installation.' : `${method} is not supported.`,
    );
  };
  let ended: Ending | undefined;
  const { promise: closed, resolve: end } = Promise.withResolvers<Ending>();
  client.onclose = () => {
    ended = ending();
    end(ended);
  };
  client.onerror = () => {};
  const late = Promise.withResolvers<never>();
  // The old transport's start waits for the server without an end.
  const giveUp = () => late.reject(new McpError(ErrorCode.RequestTimeout, NO_ANSWER));
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
    call: (name, input, call) =>
      callTool(client, asking, { name, input }, call).catch((error: unknown) => {
        if (ended === undefined || error instanceof McpUnreachable) throw error;
        throw new McpUnreachable('ended', `The server failed: ${ended.how}`);
      }),
    close: async () => {
      // A server keeps what belongs to a session until it ends, a browser for example.
      if (bye !== undefined) await Promise.race([bye().catch(() => {}), pause(BYE_MS, undefined, { ref: false })]);
      await client.close().catch(() => {});
    },
  };
}

/** A call under way, which can ask the person: one question after another. */
interface Asking {
  ask(question: McpQuestion): Promise<McpAnswer>;
  patience: Watch;
}

const question = z.looseObject({
  mode: z.literal('form').nullish(),
  message: z.string().catch(''),
  requestedSchema: z.record(z.string(), z.unknown()),
});

/** Asks the person what a server wants to know. All calls of a connection are one person's, so any of them may show it. */
async function answerQuestion(asking: Set<Asking>, params: unknown, signal: AbortSignal) {
  const form = question.safeParse(params).data;
  if (form === undefined) throw new McpError(ErrorCode.InvalidParams, 'Only a form with fields can be shown.');
  const [call] = asking;
  if (call === undefined) return { action: 'cancel' };
  // Nothing says which of several calls waits for it.
  const held = [...asking].map(({ patience }) => patience.hold());
  const answer = call.ask({ message: form.message, schema: form.requestedSchema, signal });
  return { ...(await answer.finally(() => held.forEach((release) => release()))) };
}

async function callTool(
  client: Client,
  asking: Set<Asking>,
  { name, input }: { name: string; input: Record<string, unknown> },
  call: McpCall,
) {
  const silence = new Error('no progress');
  const patience = watchSilence(call.signal, CALL_MS, () => silence);
  let turn: Promise<unknown> = Promise.resolve();
  const ask = (asks: McpQuestion): Promise<McpAnswer> => {
    const answer = turn.then(() => call.ask?.(asks) ?? { action: 'cancel' as const });
    turn = answer.catch(() => {});
    return answer;
  };
  const heard: Asking = { ask, patience };
  asking.add(heard);
  try {
    const request = { method: 'tools/call', params: { name, arguments: input } };
    const result = await askServer(client, request, toolResult, CALL_MAX_MS, {
      signal: patience.signal,
      onprogress: (progress) => {
        patience.touch();
        call.onProgress?.(readProgress(progress));
      },
    });
    return readResult(result);
  } catch (error) {
    if (patience.signal.reason === silence)
      throw new McpUnreachable('timeout', 'The server did not answer within 50 seconds.');
    throw error;
  } finally {
    // To stop it would tell the server that the call was cancelled.
    patience.hold();
    asking.delete(heard);
    // A question of another call may be shown with this one.
    await turn;
  }
}

const readProgress = ({ progress, total, message }: Progress) => ({
  done: progress,
  ...(total === undefined ? {} : { total }),
  ...(message === undefined ? {} : { message: storableText(message, MESSAGE_MAX) }),
});
