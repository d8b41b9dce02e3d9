import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { z } from 'zod';
import { listen } from '../listen.ts';

/** A server that keeps a page for each session, like a browser: `go` opens one, `where` says which is open. */
export async function startPageServer() {
  const sessions = new Map<string, StreamableHTTPServerTransport>();
  const ended: string[] = [];

  async function begin(): Promise<StreamableHTTPServerTransport> {
    let page = 'about:blank';
    const text = (words: string) => ({ content: [{ type: 'text' as const, text: words }] });
    const server = new McpServer({ name: 'pages', version: '1' });
    server.registerTool('go', { inputSchema: { url: z.string() } }, async ({ url }) => {
      page = url;
      return text(`opened ${page}`);
    });
    server.registerTool('where', {}, async () => text(`at ${page}`));
    const transport: StreamableHTTPServerTransport = new StreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => void sessions.set(id, transport),
      onsessionclosed: (id) => {
        ended.push(id);
        sessions.delete(id);
      },
    });
    await server.connect(transport as Parameters<McpServer['connect']>[0]);
    return transport;
  }

  const http = createServer(async (request, response) => {
    const body = request.method === 'POST' ? await json(request) : undefined;
    const id = String(request.headers['mcp-session-id'] ?? '');
    const known = sessions.get(id);
    if (id !== '' && known === undefined) return void response.writeHead(404).end();
    await (known ?? (await begin())).handleRequest(request, response, body);
  });
  const { origin, close } = await listen(http);
  return {
    url: `${origin}/mcp`,
    sessions,
    ended,
    close,
  };
}
