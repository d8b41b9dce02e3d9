import type { Deps } from '../../platform/deps.ts';
import type { McpConnection, McpTool } from '../../platform/mcp/mcp-connection.ts';
import type { McpServerRow } from './mcp.table.ts';
import { connectOwn } from './own-connection.service.ts';
import { failedOf } from './server-failure.service.ts';
import { openSecrets } from './server-secrets.ts';
import { withoutSecrets } from './without-secrets.ts';

/**
 * Talks to a person's own server over the connection that is kept for a conversation; `now` is what the server offers. Throws McpFailed,
 * and the signal's reason.
 */
export function talkToOwn<T>(
  ctx: Deps,
  server: McpServerRow,
  { conversation, signal }: { conversation: string; signal: AbortSignal },
  talk: (connection: McpConnection, now: McpTool[]) => Promise<T>,
): Promise<T> {
  const secrets = openSecrets(ctx, server);
  const key = `${server.userId}/${server.id}/${conversation}`;
  const open = () => connectOwn(ctx, server, secrets);
  return withoutSecrets(secrets, () =>
    ctx.ownSessions.use(key, open, signal, talk).catch((error: unknown) => {
      signal.throwIfAborted();
      throw failedOf(error);
    }),
  );
}
