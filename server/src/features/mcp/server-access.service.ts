import type { McpAccess } from '@atelier/contract/mcp';
import { sql } from 'drizzle-orm';
import { type Authorized, type Caller, owned } from '../../access.ts';
import type { Deps } from '../../platform/deps.ts';
import type { McpTool } from '../../platform/mcp/mcp-connection.ts';
import { requireLiveSignIn } from '../accounts/accounts.service.ts';
import { askForTools } from './mcp.service.ts';
import { type McpServerRow, mcpServers, sameServer } from './mcp.table.ts';
import { endConnections } from './own-source.service.ts';
import { type ServerSecrets, sealSecrets } from './server-secrets.ts';
import { changesBetween, nowUsable } from './tool-changes.ts';

/** Replaces the headers that a server gets, once it has accepted the new ones; 400 with a sentence otherwise. Throws as `storeAccess` does. */
export async function changeAccess(
  ctx: Deps,
  caller: Caller,
  server: Authorized<McpServerRow>,
  { headers }: McpAccess,
): Promise<McpServerRow> {
  const tools = await askForTools(ctx, server, { headers }, false);
  const access = Object.keys(headers).length > 0 ? 'headers' : 'none';
  return storeAccess(ctx, caller, server, { access, secrets: { headers } }, tools === 'sign_in' ? [] : tools);
}

/**
 * Stores what a server knows the person by, after it was tried. What the server offers now is approved only if nothing was approved
 * before: otherwise a difference waits for the person. Throws 401 when the caller was signed out meanwhile.
 */
export async function storeAccess(
  ctx: Deps,
  caller: Caller,
  server: Pick<McpServerRow, 'userId' | 'id'>,
  { access, secrets }: { access: McpServerRow['access']; secrets: ServerSecrets },
  tools: McpTool[],
): Promise<McpServerRow> {
  const row = await ctx.db.transaction(async (tx) => {
    await requireLiveSignIn(tx, caller);
    const [now] = await tx.select().from(mcpServers).where(sameServer(server)).for('update');
    const isFirst = now !== undefined && now.tools.length === 0 && now.changedAt === null;
    const isSame = now !== undefined && changesBetween(now.tools, tools).length === 0;
    const [changed] = await tx
      .update(mcpServers)
      .set({
        access,
        secrets: sealSecrets(ctx, server, secrets),
        signedOut: false,
        ...(isFirst || isSame
          ? { tools: isFirst ? tools : now.tools.map((tool) => nowUsable(tool, tools)), changedAt: null, offered: null }
          : { changedAt: sql`coalesce(${mcpServers.changedAt}, now())`, offered: tools }),
      })
      .where(sameServer(server))
      .returning();
    await ctx.live.notify(tx, server.userId, 'tools', server.id);
    return owned(server.userId, changed, 'This server');
  });
  // Connections that know the old headers.
  endConnections(ctx, server);
  return row;
}
