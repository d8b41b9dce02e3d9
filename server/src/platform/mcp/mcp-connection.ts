import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { CallToolResultSchema, ListToolsResultSchema } from '@modelcontextprotocol/sdk/types.js';
import { storableJson } from '../storable-json.ts';
import { BoundedStdioTransport, type StdioServer } from './stdio-transport.ts';

/** A tool as its server describes it. */
export interface McpTool {
  name: string;
  description: string;
  inputSchema: Record<string, unknown>;
  /** What the server says of itself; only as good as the server. */
  readOnly: boolean;
}

/** What a server answered to a call. */
export interface McpResult {
  text: string;
  isError: boolean;
}

export interface McpConnection {
  listTools(signal?: AbortSignal): Promise<McpTool[]>;
  /** Throws where the server fails; what the tool itself reports as an error is a result. */
  call(name: string, input: Record<string, unknown>, signal?: AbortSignal): Promise<McpResult>;
  /** Resolves when the connection is over, whoever ended it. */
  readonly closed: Promise<void>;
  close(): Promise<void>;
}

const CONNECT_MS = 10_000;
const LIST_MS = 10_000;
const CALL_MS = 50_000;
const TOOLS_MAX = 100;
const PAGES_MAX = 10;
const DESCRIPTION_MAX = 2_000;
const SCHEMA_MAX = 20_000;
const TEXT_MAX = 200_000;
const RESPONSE_MAX = 8 * 1024 * 1024;
const USABLE_NAME = /^[a-zA-Z0-9_-]{1,48}$/;

/** Starts a server as a process and greets it; throws within ten seconds where that does not work. */
export const connectStdio = (server: StdioServer) => connect(new BoundedStdioTransport(server));

/** Greets a server behind an address, by a fetch that decides what may be reached. */
export function connectHttp(
  url: string,
  fetchFrom: (url: string | URL, init?: RequestInit) => Promise<Response>,
  headers: Record<string, string> = {},
) {
  const transport = new StreamableHTTPClientTransport(new URL(url), {
    fetch: async (target, init) => bounded(await fetchFrom(target, init)),
    requestInit: { headers },
    reconnectionOptions: {
      maxRetries: 0,
      initialReconnectionDelay: 1_000,
      maxReconnectionDelay: 1_000,
      reconnectionDelayGrowFactor: 1,
    },
  });
  // Its `sessionId` may be undefined, which the interface spells otherwise.
  return connect(transport as Transport);
}

async function connect(transport: Transport): Promise<McpConnection> {
  const client = new Client({ name: 'atelier', version: '1' });
  const closed = new Promise<void>((resolve) => {
    client.onclose = resolve;
  });
  client.onerror = () => {};
  try {
    await client.connect(transport, { timeout: CONNECT_MS });
  } catch (error) {
    await transport.close().catch(() => {});
    throw error;
  }
  return {
    closed,
    listTools: (signal) => listTools(client, signal),
    call: (name, input, signal) => callTool(client, name, input, signal),
    close: () => client.close().catch(() => {}),
  };
}

/** Asked by hand: the client's own way would compile the schemas of the server's answers, patterns that freeze us included. */
async function listTools(client: Client, signal?: AbortSignal): Promise<McpTool[]> {
  const found = new Map<string, McpTool>();
  let cursor: string | undefined;
  for (let page = 0; page < PAGES_MAX; page += 1) {
    const params = cursor === undefined ? {} : { cursor };
    const options = { timeout: LIST_MS, maxTotalTimeout: LIST_MS, signal };
    const { tools, nextCursor } = await client.request(
      { method: 'tools/list', params },
      ListToolsResultSchema,
      options,
    );
    for (const { name, description = '', inputSchema, annotations } of tools) {
      const usable = USABLE_NAME.test(name) && JSON.stringify(inputSchema).length <= SCHEMA_MAX;
      if (!usable || found.has(name) || found.size >= TOOLS_MAX) continue;
      const readOnly = annotations?.readOnlyHint === true;
      const told = description.slice(0, DESCRIPTION_MAX).replaceAll('\0', '').toWellFormed();
      found.set(name, { name, description: told, inputSchema: storableObject(inputSchema), readOnly });
    }
    if (nextCursor === undefined || nextCursor === cursor) break;
    cursor = nextCursor;
  }
  return [...found.values()];
}

/** What a server says is kept in the database, so it must be of a kind that the database takes. */
function storableObject(schema: Record<string, unknown>): Record<string, unknown> {
  const stored = storableJson(schema);
  return typeof stored === 'object' && stored !== null ? { ...stored } : {};
}

async function callTool(client: Client, name: string, input: Record<string, unknown>, signal?: AbortSignal) {
  const params = { name, arguments: input };
  const options = { timeout: CALL_MS, maxTotalTimeout: CALL_MS, signal };
  const result = await client.request({ method: 'tools/call', params }, CallToolResultSchema, options);
  const parts = result.content.map((part) => {
    if (part.type === 'text') return part.text;
    if (part.type === 'resource' && 'text' in part.resource) return part.resource.text;
    return `[${part.type}]`;
  });
  const text = parts.length > 0 ? parts.join('\n') : JSON.stringify(result.structuredContent ?? '');
  return { text: text.slice(0, TEXT_MAX), isError: result.isError === true };
}

/** An answer that ends with an error once it has become too long. */
function bounded(response: Response): Response {
  if (response.body === null || response.status === 202 || response.status === 204) return response;
  let bytes = 0;
  const counted = response.body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        bytes += chunk.byteLength;
        if (bytes > RESPONSE_MAX) controller.error(new Error('the server sent too much'));
        else controller.enqueue(chunk);
      },
    }),
  );
  const { status, statusText, headers } = response;
  return new Response(counted, { status, statusText, headers: [...headers] });
}
