import type { McpConnection } from './mcp-connection.ts';
import type { StdioServer } from './stdio-transport.ts';

/** Starts a server as a process and greets it; throws within ten seconds when that fails. */
export async function connectStdio(server: StdioServer): Promise<McpConnection> {
  return (await loadClient()).connectStdio(server);
}

/** Greets a server at an address, with a fetch that decides what may be reached. */
export async function connectHttp(
  url: string,
  fetchFrom: (url: string | URL, init?: RequestInit) => Promise<Response>,
  headers: Record<string, string> = {},
): Promise<McpConnection> {
  return (await loadClient()).connectHttp(url, fetchFrom, headers);
}

/** Loaded with the first connection, because the protocol's library is large and most processes have none. */
const loadClient = () => import('./mcp-client.ts');
