import { randomUUID } from 'node:crypto';
import { access } from 'node:fs/promises';
import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { SSEServerTransport } from '@modelcontextprotocol/sdk/server/sse.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { z } from 'zod';
import { eventually } from '../eventually.ts';
import { listen } from '../listen.ts';

/** The form that `ask` shows: a field for each thing that a form can say of one. */
export const FORM = {
  type: 'object' as const,
  properties: {
    code: { type: 'string', title: 'Code', minLength: 3, maxLength: 8, pattern: '^[A-Z]+-\\d+$' },
    mail: { type: 'string', title: 'Mail', format: 'email' },
    when: { type: 'string', title: 'When', format: 'date-time' },
    guests: { type: 'integer', title: 'Guests', minimum: 1, maximum: 4 },
    berth: { type: 'string', title: 'Berth', enum: ['n', 's'], enumNames: ['North', 'South'] },
    tide: {
      type: 'string',
      title: 'Tide',
      oneOf: [
        { const: 'h', title: 'High' },
        { const: 'l', title: 'Low' },
      ],
    },
    extras: {
      type: 'array',
      title: 'Extras',
      maxItems: 1,
      items: {
        anyOf: [
          { const: 'w', title: 'Water' },
          { const: 'p', title: 'Power' },
        ],
      },
    },
  },
  required: ['code', 'guests'],
};

const call = z.object({
  name: z.string(),
  arguments: z
    .object({ result: z.unknown(), file: z.string().default(''), form: z.unknown(), times: z.number() })
    .partial()
    .default({}),
});
const TOOLS = [
  { name: 'odd', description: 'Answers `result`, whatever it is.' },
  { name: 'wait', description: 'Answers once `file` is there.' },
  { name: 'ask', description: 'Asks the person.' },
  { name: 'environment', description: 'Says which variables it got.' },
  { name: 'task', description: 'Works for long.', execution: { taskSupport: 'required' } },
].map((tool) => ({ ...tool, inputSchema: { type: 'object' }, annotations: { readOnlyHint: true } }));

/** A server by the official library that waits, asks, and answers what it is told to: the library checks none of its answers. */
function askingServer(): Server {
  const server = new Server({ name: 'asking', version: '1' }, { capabilities: { tools: {} } });
  const text = (words: string) => ({ content: [{ type: 'text', text: words }] });
  server.fallbackRequestHandler = async ({ method, params }, { sendRequest }) => {
    if (method === 'tools/list') return { tools: TOOLS };
    const { name, arguments: given } = call.parse(params);
    if (name === 'odd') return given.result as Record<string, unknown>;
    if (name === 'environment') return text(Object.keys(process.env).toSorted().join(' '));
    if (name === 'wait') {
      await eventually(() => access(given.file ?? ''));
      return text('waited');
    }
    const asked = { message: 'Which berth?', requestedSchema: given.form ?? FORM };
    const request = { method: 'elicitation/create', params: asked } as never;
    let answer: unknown;
    for (let left = given.times ?? 1; left > 0; left -= 1) answer = await sendRequest(request, z.looseObject({}));
    return text(JSON.stringify(answer));
  };
  return server;
}

/** The same on loopback. */
export const startAskingServer = () => serveSessions(askingServer);

/** A server that keeps a page for each session, like a browser: `go` opens one, `where` says which is open. */
export const startPageServer = () =>
  serveSessions(() => {
    let page = 'about:blank';
    const text = (words: string) => ({ content: [{ type: 'text' as const, text: words }] });
    const server = new McpServer({ name: 'pages', version: '1' });
    server.registerTool('go', { inputSchema: { url: z.string() } }, async ({ url }) => {
      page = url;
      return text(`opened ${page}`);
    });
    server.registerTool('where', {}, async () => text(`at ${page}`));
    return server;
  });

/** A server for each client, over streamable HTTP with a session, and over the protocol's first transport. */
async function serveSessions(create: () => Pick<Server, 'connect'>) {
  const sessions = new Map<string, StreamableHTTPServerTransport>();
  const ended: string[] = [];
  const old = new Map<string, SSEServerTransport>();
  const connect = (transport: unknown) => create().connect(transport as Parameters<Server['connect']>[0]);
  async function begin(): Promise<StreamableHTTPServerTransport> {
    const transport: StreamableHTTPServerTransport = new StreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => void sessions.set(id, transport),
      onsessionclosed: (id) => void (sessions.delete(id), ended.push(id)),
    });
    await connect(transport);
    return transport;
  }
  const http = createServer(async (request, response) => {
    const url = new URL(request.url ?? '', 'http://127.0.0.1');
    if (url.pathname === '/sse') {
      const transport = new SSEServerTransport('/messages', response);
      old.set(transport.sessionId, transport);
      return connect(transport);
    }
    const body = request.method === 'POST' ? await json(request) : undefined;
    if (url.pathname === '/messages')
      return old.get(url.searchParams.get('sessionId') ?? '')?.handlePostMessage(request, response, body);
    const id = request.headers['mcp-session-id'];
    const known = sessions.get(String(id));
    if (id !== undefined && known === undefined) return void response.writeHead(404).end();
    return (known ?? (await begin())).handleRequest(request, response, body);
  });
  const { origin, close } = await listen(http);
  return { url: `${origin}/mcp`, oldUrl: `${origin}/sse`, sessions, ended, close };
}

if (process.argv[2] === 'stdio') await askingServer().connect(new StdioServerTransport());
