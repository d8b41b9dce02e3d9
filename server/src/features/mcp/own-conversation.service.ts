import type { Deps } from '../../platform/deps.ts';
import type { McpConnection, McpTool } from '../../platform/mcp/mcp-connection.ts';
import { sameServer } from './mcp.queries.ts';
import { type McpServerRow, mcpServers } from './mcp.table.ts';
import { connectOwn } from './own-connection.service.ts';
import { failedOf, McpFailed, SIGNED_OUT } from './server-failure.service.ts';
import { openSecrets } from './server-secrets.ts';
import { withoutSecrets } from './without-secrets.ts';

/**
 * Talks to a person's own server over the connection that is kept for a conversation; `now` is what the server offers. Throws McpFailed,
 * and the signal's reason.
 */
export async function talkToOwn<T>(
  ctx: Deps,
  server: Pick<McpServerRow, 'userId' | 'id'>,
  { conversation, signal }: { conversation: string; signal: AbortSignal },
  talk: (connection: McpConnection, now: McpTool[]) => Promise<T>,
): Promise<T> {
  // A run goes on when what the server knew the person by is suspended.
  const [now] = await ctx.db.select().from(mcpServers).where(sameServer(server));
  if (now === undefined) throw new McpFailed('This server was removed.');
  if (now.signedOut) throw new McpFailed(SIGNED_OUT, 'sign_in');
  const secrets = openSecrets(ctx, now);
  const key = `${now.userId}/${now.id}/${conversation}`;
  const open = () => connectOwn(ctx, now, secrets);
  return withoutSecrets(secrets, () =>
    ctx.ownSessions.use(key, open, signal, talk).catch((error: unknown) => {
      signal.throwIfAborted();
      throw failedOf(error);
    }),
  );
}
