import { createGuardedFetch } from '../../platform/fetch/guarded-fetch.ts';
import { readBlocks } from '../../platform/fetch/public-address.ts';
import type { McpConnection } from '../../platform/mcp/mcp-connection.ts';

export type Fetch = (url: string | URL, init?: RequestInit) => Promise<Response>;

/** A fetch that reaches the public internet and these blocks, over sockets that nobody else uses, and how to end them. */
export function openFetch(allowed: readonly string[]): { fetchFrom: Fetch; close(): Promise<void> } {
  // How long a server may be silent is decided by the protocol: a tool may work for long.
  const guarded = createGuardedFetch({ allowed: readBlocks(allowed), silenceMs: 0 });
  // undici's own types for what the platform's fetch also has.
  return { fetchFrom: guarded.once as unknown as Fetch, close: guarded.close };
}

/** A connection whose sockets end with it: those of an earlier one may have ended unseen. */
export async function connectBy(
  allowed: readonly string[],
  connect: (fetchFrom: Fetch) => Promise<McpConnection>,
): Promise<McpConnection> {
  const { fetchFrom, close } = openFetch(allowed);
  try {
    const connection = await connect(fetchFrom);
    void connection.closed.then(close);
    return connection;
  } catch (error) {
    await close();
    throw error;
  }
}
