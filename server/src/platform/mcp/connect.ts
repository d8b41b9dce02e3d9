import type { HttpServer } from './http-transport.ts';
import type { McpConnection, StdioServer } from './mcp-connection.ts';

/** Starts a server as a process and greets it; throws McpUnreachable within a minute when that fails, or when `signal` aborts. */
export async function connectStdio(server: StdioServer, signal: AbortSignal): Promise<McpConnection> {
  return (await loadClient()).connectStdio(server, signal);
}

/** Greets a server at an address, with a fetch that decides what may be reached; throws McpUnreachable. */
export async function connectHttp(server: HttpServer, only?: 'sse'): Promise<McpConnection> {
  return (await loadClient()).connectHttp(server, only);
}

/** Loaded with the first connection, because the protocol's library is large and most processes have none. */
const loadClient = () => import('./mcp-client.ts');

/** Signing in at a server by OAuth; loaded when somebody does. */
export const loadOAuth = () => import('./oauth.ts');
