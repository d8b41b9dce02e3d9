import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import { json } from 'node:stream/consumers';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import { listen } from '../listen.ts';

const message = z.looseObject({
  id: z.union([z.number(), z.string()]).optional(),
  method: z.string(),
  params: z.unknown().optional(),
});
const callInput = z.object({
  name: z.string(),
  arguments: z.looseObject({ id: z.string().optional().catch(undefined) }).default({}),
});
type Message = z.infer<typeof message>;
/** Answers a request itself, and says so. */
type Gate = (request: IncomingMessage, response: ServerResponse) => boolean;

/** A server of tools over streamable HTTP on loopback, which offers what it was started with and keeps what it was asked. */
export async function startMcpServer(tools: object[], port = 0, gate: Gate = () => false) {
  const called: unknown[] = [];
  /** What a call is answered with, by its `id` argument or its tool, instead of “ahoy”: a text or another content. */
  const answers = new Map<string, string | object>();
  const results: Record<string, object> = {
    initialize: {
      protocolVersion: '2025-06-18',
      capabilities: { tools: {} },
      serverInfo: { name: 'described', version: '1' },
    },
    'tools/list': { tools },
  };
  const call = (params: unknown) => {
    called.push(params);
    const { name, arguments: given } = callInput.parse(params);
    const said = answers.get(given.id ?? name) ?? 'ahoy';
    return { content: [typeof said === 'string' ? { type: 'text', text: said } : said] };
  };
  const answer = async ({ id, method, params }: Message) => {
    const result = method === 'tools/call' ? call(params) : (results[method] ?? {});
    return { jsonrpc: '2.0', id, result };
  };
  return { ...(await serveMessages(answer, { port, gate })), called, answers };
}

/** Puts a server that only speaks stdio behind an address: what comes in is handed to its process, word for word. */
export async function bridgeToHttp(program: { command: string; args: string[] }, env: Record<string, string> = {}) {
  const stdio = new StdioClientTransport({ ...program, env, stderr: 'ignore' });
  const waiting = new Map<unknown, (answer: object) => void>();
  stdio.onmessage = (answer) => void ('id' in answer && waiting.get(answer.id)?.(answer));
  await stdio.start();
  const server = await serveMessages(async (asked) => {
    const answer = new Promise<object>((done) => void waiting.set(asked.id, done));
    await stdio.send(asked as JSONRPCMessage);
    return asked.id === undefined ? {} : answer;
  });
  return { ...server, close: async () => void (await Promise.all([stdio.close(), server.close()])) };
}

export async function serveMessages(
  answerTo: (asked: Message) => Promise<object>,
  { port = 0, gate = () => false }: { port?: number; gate?: Gate } = {},
) {
  /** Of every request so far. */
  const headers: IncomingHttpHeaders[] = [];
  const server = createServer(async (request, response) => {
    if (gate(request, response)) return;
    if (request.method !== 'POST') return response.writeHead(405).end();
    headers.push(request.headers);
    const asked = message.parse(await json(request));
    const answer = await answerTo(asked);
    if (asked.id === undefined) return response.writeHead(202).end();
    response.writeHead(200, { 'content-type': 'application/json' });
    return response.end(JSON.stringify(answer));
  });
  const { origin, ...listening } = await listen(server, port);
  return { ...listening, headers, url: `${origin}/mcp` };
}
