import type { Deps } from '../../platform/deps.ts';
import { createGuardedFetch } from '../../platform/fetch/guarded-fetch.ts';
import { readBlocks } from '../../platform/fetch/public-address.ts';
import { connectHttp } from '../../platform/mcp/connect.ts';
import { aroundRequests, type McpConnection } from '../../platform/mcp/mcp-connection.ts';
import { authorized, type Fetch, type Reached } from './authorized-fetch.service.ts';
import { failedOf } from './server-failure.service.ts';
import type { ServerSecrets } from './server-secrets.ts';
import { reasonWithoutSecrets, withoutSecrets } from './without-secrets.ts';

/** A fetch that reaches only what a stranger may name, and how to end it. */
export function openFetch({ config }: Pick<Deps, 'config'>): { fetchFrom: Fetch; close(): Promise<void> } {
  // How long a server may be silent is decided by the protocol: a tool may work for long.
  const guarded = createGuardedFetch({ allowed: readBlocks(config.FETCH_ALLOWED), silenceMs: 0 });
  // undici's own types for what the platform's fetch also has.
  return { fetchFrom: guarded.once as unknown as Fetch, close: guarded.close };
}

/** A connection to a person's own server, with what it may know of them, which it doesn't repeat. Throws McpFailed. */
export async function connectOwn(ctx: Deps, server: Reached, secrets: ServerSecrets): Promise<McpConnection> {
  const { fetchFrom, close } = openFetch(ctx);
  try {
    const known = await authorized(ctx, server, secrets, fetchFrom);
    const connection = await connectHttp({ url: server.url, headers: {}, fetchFrom: known });
    void connection.closed.then(close);
    return aroundRequests(connection, (request) => withoutSecrets(secrets, request));
  } catch (error) {
    await close();
    throw failedOf(await reasonWithoutSecrets(secrets, error));
  }
}

/** One conversation with a stranger's server: connect, use, disconnect. Throws McpFailed. */
export async function withServer<T>(
  ctx: Deps,
  server: Reached,
  secrets: ServerSecrets,
  talk: (connection: McpConnection) => Promise<T>,
): Promise<T> {
  const connection = await connectOwn(ctx, server, secrets);
  try {
    return await talk(connection);
  } catch (error) {
    throw failedOf(error);
  } finally {
    await connection.close();
  }
}
