import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { json } from 'node:stream/consumers';
import { beforeEach, describe, expect, it } from 'vitest';
import { effort } from '../../testing/effort.ts';
import { emptyApp, type TestUser } from '../../testing/harness.ts';
import { closing } from '../../testing/lifetimes.ts';
import { listen } from '../../testing/listen.ts';
import { workerOf } from '../../testing/mcp/conversation.ts';

let ada: TestUser;
/** Which method is answered badly, and how; all else is answered as it should be. */
let bad: { method: string; how: keyof typeof WAYS } = { method: '', how: 'nonsense' };
let reached: string[] = [];

const JSON_TYPE = { 'content-type': 'application/json' };
const PIECE = Buffer.alloc(256 * 1024, 'x');
/** Sends as long as the other side takes it. */
function pour(response: ServerResponse) {
  while (!response.destroyed && response.write(PIECE));
  if (!response.destroyed) response.once('drain', () => pour(response));
}

const WAYS = {
  nonsense: (response: ServerResponse) => response.writeHead(200, JSON_TYPE).end('%%% no json'),
  'a page': (response: ServerResponse) => response.writeHead(200, { 'content-type': 'text/html' }).end('<p>Log in'),
  'a flood of JSON': (response: ServerResponse) => {
    response.writeHead(200, JSON_TYPE).write('{"jsonrpc":"2.0","id":1,"result":"');
    pour(response);
  },
  'a flood of events': (response: ServerResponse) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' }).write('data: ');
    pour(response);
  },
  'events without an answer': (response: ServerResponse) =>
    response.writeHead(200, { 'content-type': 'text/event-stream' }).end(': nothing\n\n'),
  'half of an event': (response: ServerResponse) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' }).write('data: {"jsonrpc"');
    setTimeout(() => response.socket?.resetAndDestroy(), 20);
  },
  'half of an answer': (response: ServerResponse) => {
    response.writeHead(200, { ...JSON_TYPE, 'content-length': '500' }).write('{"jsonrpc"');
    setTimeout(() => response.socket?.resetAndDestroy(), 20);
  },
  'an error': (response: ServerResponse) => response.writeHead(500).end('x'.repeat(100_000)),
  'a way inside': (response: ServerResponse) =>
    response.writeHead(307, { location: `${url.replace('127.0.0.1', '127.0.0.2')}/inside` }).end(),
  'another shape': (response: ServerResponse, id: unknown) =>
    response.writeHead(200, JSON_TYPE).end(JSON.stringify({ jsonrpc: '2.0', id, result: { tools: 5, content: 'no' } })),
};

async function answer(request: IncomingMessage, response: ServerResponse) {
  reached.push(request.url ?? '');
  if (request.method !== 'POST') return response.writeHead(405).end();
  const { id, method } = (await json(request)) as { id?: number; method: string };
  if (method === bad.method) return WAYS[bad.how](response, id);
  if (id === undefined) return response.writeHead(202).end();
  const results: Record<string, object> = {
    initialize: { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo: { name: 'x', version: '1' } },
    'tools/list': { tools: [{ name: 'act', inputSchema: { type: 'object' } }] },
    'tools/call': { content: [{ type: 'text', text: 'ahoy' }] },
  };
  return response.writeHead(200, JSON_TYPE).end(JSON.stringify({ jsonrpc: '2.0', id, result: results[method] ?? {} }));
}

const server = createServer((request, response) => {
  answer(request, response).catch(() => response.destroy());
});
const { origin: url } = await closing(listen(server, 0, '0.0.0.0'));
const app = await emptyApp({ env: { FETCH_ALLOWED: '127.0.0.1' } });
beforeEach(async () => {
  bad = { method: '', how: 'nonsense' };
  ada = await app.signUpPro('Ada');
});

const { open, askAndAllow } = workerOf(
  () => app,
  () => ada,
);
const add = () => app.request('POST', '/api/mcp-servers', { as: ada, body: { name: 'Bad', url: `${url}/mcp` } });
const ways = Object.keys(WAYS) as (keyof typeof WAYS)[];
/** One of each kind: what breaks off, floods, is silent, refuses or says something else. */
const KINDS: typeof ways = [
  'half of an answer',
  'a flood of events',
  'events without an answer',
  'an error',
  'another shape',
];

describe('a server over HTTP that answers badly', () => {
  it.each(effort(['tools/list'], ['initialize', 'tools/list']))(
    'to %s is not added, whatever it sends',
    async (method) => {
      const before = process.memoryUsage().rss;

      for (const how of ways) {
        bad = { method, how };
        reached = [];
        const { status, body } = await add();
        expect([how, status, body.error?.field]).toEqual([how, 400, 'url']);
        expect(reached, how).not.toContain('/inside');
      }
      expect((process.memoryUsage().rss - before) / 1024 / 1024).toBeLessThan(150);
    },
  );

  it('to a call fails the call with a sentence, and the run goes on', async () => {
    const added = (await add()).body.server;
    const sessionId = await open([added.tools[0].id]);
    for (const how of effort<typeof ways>(KINDS, ways)) {
      bad = { method: 'tools/call', how };
      const task = await askAndAllow(sessionId, 'Use act');
      expect([how, task.status]).toEqual([how, 'done']);
      expect(task.toolCalls, how).toMatchObject([{ state: 'failed', output: expect.stringMatching(/^The server /) }]);
      expect(task.toolCalls[0].output.length, how).toBeLessThan(400);
    }
    bad.method = '';
    expect((await askAndAllow(sessionId, 'Use act')).message).toContain('ahoy');
  });
});
