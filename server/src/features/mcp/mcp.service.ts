import type { McpApprove, McpServer } from '@atelier/contract/mcp';
import { validate as isUuid } from 'uuid';
import { type Authorized, type Caller, owned } from '../../access.ts';
import type { Deps } from '../../platform/deps.ts';
import { AppError } from '../../platform/errors.ts';
import type { McpTool } from '../../platform/mcp/mcp-connection.ts';
import { sameServer } from './mcp.queries.ts';
import { type McpServerRow, mcpServers } from './mcp.table.ts';
import { endConnections } from './own-source.service.ts';
import { changesBetween, type ToolChange, toolsHash } from './tool-changes.ts';
import { toolId } from './tool-names.ts';

export function toServer(row: McpServerRow): McpServer {
  return {
    id: row.id,
    name: row.name,
    url: row.url,
    tools: row.tools.map((tool) => ({
      id: toolId(row.key, tool),
      description: tool.description,
      writes: true,
      server: row.name,
    })),
    state: row.signedOut ? 'signed_out' : row.changedAt === null ? 'approved' : 'changed',
    access: row.access,
    ...changeOf(row),
    createdAt: row.createdAt.toISOString(),
  };
}

/** The caller's server, or 404. */
export async function getServer(ctx: Deps, caller: Caller, id: string): Promise<Authorized<McpServerRow>> {
  const [row] = isUuid(id)
    ? await ctx.db
        .select()
        .from(mcpServers)
        .where(sameServer({ userId: caller.uid, id }))
    : [];
  return owned(caller.uid, row, 'This server');
}

/** Approves a server's tools exactly as shown; 409 when they have changed since, or nothing waits. */
export async function approveServer(
  ctx: Deps,
  server: Authorized<McpServerRow>,
  { seen }: McpApprove,
): Promise<McpServerRow> {
  return ctx.db.transaction(async (tx) => {
    const [now] = await tx.select().from(mcpServers).where(sameServer(server)).for('update');
    if (now === undefined || now.changedAt === null || now.offered === null) {
      throw new AppError('conflict', 'No change of this server is waiting for approval.');
    }
    if (toolsHash(now.offered) !== seen) {
      throw new AppError('conflict', 'This server changed its tools again. Look at them once more.', { field: 'seen' });
    }
    const [row] = await tx
      .update(mcpServers)
      .set({ tools: now.offered, changedAt: null, offered: null })
      .where(sameServer(server))
      .returning();
    await ctx.live.notify(tx, server.userId, 'tools', server.id);
    return owned(server.userId, row, 'This server');
  });
}

/** Removes a server with all that it knows the person by. */
export async function removeServer(ctx: Deps, server: Authorized<McpServerRow>): Promise<void> {
  endConnections(ctx, server);
  await ctx.db.transaction(async (tx) => {
    await tx.delete(mcpServers).where(sameServer(server));
    await ctx.live.notify(tx, server.userId, 'tools', server.id);
  });
}

/** What waits for approval, and the hash that approves it. */
export const changeOf = ({ changedAt, tools, offered }: McpServerRow): Pick<McpServer, 'changes' | 'seen'> =>
  changedAt === null || offered === null
    ? { changes: [], seen: null }
    : { changes: changesBetween(tools, offered).map(shownChange), seen: toolsHash(offered) };

/** A change as people see it. */
function shownChange({ name, before, now }: ToolChange): McpServer['changes'][number] {
  const words = now === null ? null : ownWordsOf(now);
  const input = before !== null && ownWordsOf(before) === words ? null : words;
  return { name, before: before?.description ?? null, now: now?.description ?? null, input };
}

/** A tool's input schema and annotations, readable. */
const ownWordsOf = ({ inputSchema, annotations }: McpTool): string =>
  JSON.stringify({ input: inputSchema, ...(annotations === undefined ? {} : { annotations }) }, null, 2);
