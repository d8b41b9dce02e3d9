import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { listen } from '../listen.ts';
import { wavOf } from '../sounds.ts';

/** A server whose tools answer sounds: `ring` a short one, `record` several minutes, `hum` one that models don't take. */
export async function startSoundServer() {
  const sounds = { ring: wavOf(0.1), record: wavOf(400), hum: Buffer.from('OggS') };
  const http = createServer(async (request, response) => {
    if (request.method !== 'POST') return void response.writeHead(405).end();
    const server = new McpServer({ name: 'sounds', version: '1' });
    for (const [name, bytes] of Object.entries(sounds)) {
      const type = name === 'hum' ? 'audio/ogg' : 'audio/wav';
      const data = bytes.toString('base64');
      server.registerTool(name, { annotations: { readOnlyHint: true, openWorldHint: false } }, async () => ({
        content: [{ type: 'audio', data, mimeType: type }],
      }));
    }
    const transport = new StreamableHTTPServerTransport({ sessionIdGenerator: undefined });
    await server.connect(transport as Parameters<McpServer['connect']>[0]);
    await transport.handleRequest(request, response, await json(request));
  });
  const { origin, close } = await listen(http);
  return {
    url: `${origin}/mcp`,
    close,
  };
}
