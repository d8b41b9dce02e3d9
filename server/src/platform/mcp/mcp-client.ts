import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import {
  CallToolResultSchema,
  ErrorCode,
  JSONRPCRequestSchema,
  ListToolsResultSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { storableJson } from '../storable-json.ts';
import type { McpConnection, McpTool } from './mcp-connection.ts';
import { BoundedStdioTransport, type StdioServer } from './stdio-transport.ts';

const CONNECT_MS = 10_000;
const LIST_MS = 10_000;
const CALL_MS = 50_000;
/** An answer is read completely well within this time. */
const ENDED_MS = 1_000;
const TOOLS_MAX = 100;
const PAGES_MAX = 10;
const DESCRIPTION_MAX = 2_000;
const SCHEMA_MAX = 20_000;
const ANNOTATIONS_MAX = 2_000;
const SCHEMA_LEVELS = 50;
const TEXT_MAX = 200_000;
const RESPONSE_MAX = 8 * 1024 * 1024;
const USABLE_NAME = /^[a-zA-Z0-9_-]{1,48}$/;

/** Starts a server as a process and greets it; throws within ten seconds when that fails. */
export const connectStdio = (server: StdioServer) => connect(new BoundedStdioTransport(server));

/** Greets a server at an address, with a fetch that decides what may be reached. */
export function connectHttp(
  url: string,
  fetchFrom: (url: string | URL, init?: RequestInit) => Promise<Response>,
  headers: Record<string, string> = {},
) {
  // An answer that is too long counts as an error: the waiting caller is told at once.
  const tooMuch = () => void transport.close().catch(() => {});
  const transport = new StreamableHTTPClientTransport(new URL(url), {
    fetch: async (target, init) => {
      const id = askedId(init);
      const ended = () => id !== undefined && setTimeout(() => refuse(transport, id), ENDED_MS).unref();
      return bounded(await fetchFrom(target, init), { tooMuch, ended });
    },
    requestInit: { headers },
    reconnectionOptions: {
      maxRetries: 0,
      initialReconnectionDelay: 1_000,
      maxReconnectionDelay: 1_000,
      reconnectionDelayGrowFactor: 1,
    },
  });
  // Its `sessionId` may be undefined, which the interface types differently.
  return connect(transport as Transport);
}

/** The id of the request that is sent; its answer can only come in the response. */
function askedId(init: RequestInit | undefined): string | number | undefined {
  if (typeof init?.body !== 'string') return undefined;
  const asked = JSONRPCRequestSchema.safeParse(JSON.parse(init.body));
  return asked.success ? asked.data.id : undefined;
}

/** Answers for a server that ended without answering; ignored if an answer did come. */
const refuse = (transport: StreamableHTTPClientTransport, id: string | number) =>
  transport.onmessage?.({
    jsonrpc: '2.0',
    id,
    error: { code: ErrorCode.ConnectionClosed, message: 'it did not answer' },
  });

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

/** Our own request: the client's would compile the schemas of the server's answers, with patterns that can freeze us. */
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
      const fits =
        JSON.stringify(inputSchema).length <= SCHEMA_MAX && JSON.stringify(annotations ?? {}).length <= ANNOTATIONS_MAX;
      const usable = USABLE_NAME.test(name) && fits && isShallow(inputSchema);
      if (!usable || found.has(name) || found.size >= TOOLS_MAX) continue;
      const readOnly = annotations?.readOnlyHint === true;
      const told = description.slice(0, DESCRIPTION_MAX).replaceAll('\0', '').toWellFormed();
      const stored = { inputSchema: storableObject(inputSchema), annotations: storableObject(annotations ?? {}) };
      found.set(name, { name, description: told, ...stored, readOnly });
    }
    if (nextCursor === undefined || nextCursor === cursor) break;
    cursor = nextCursor;
  }
  return [...found.values()];
}

/** Whether a value nests no deeper than a person could read, so recursion stays within the stack. */
function isShallow(value: unknown): boolean {
  let level: unknown[] = [value];
  for (let depth = 0; depth < SCHEMA_LEVELS && level.length > 0; depth += 1) {
    level = level.flatMap((inner) => (typeof inner === 'object' && inner !== null ? Object.values(inner) : []));
  }
  return level.length === 0;
}

/** Server data is stored, so it must be something the database accepts. */
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

/** A response that fails once it is too long. */
function bounded(response: Response, { tooMuch, ended }: { tooMuch: () => void; ended: () => void }): Response {
  if (response.body === null || response.status === 202 || response.status === 204) return response;
  let bytes = 0;
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
  return new Response(counted, { status, statusText, headers: [...headers] });
}
