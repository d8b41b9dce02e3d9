import { sql } from 'drizzle-orm';
import type { Deps } from '../../platform/deps.ts';
import type { McpTool } from '../../platform/mcp/mcp-connection.ts';
import { listServers, sameServer } from './mcp.queries.ts';
import { type McpServerRow, mcpServers } from './mcp.table.ts';
import { talkToOwn } from './own-conversation.service.ts';
import { callForResult } from './server-answer.ts';
import { McpFailed, SIGNED_OUT } from './server-failure.service.ts';
import { described, type ServerTool } from './server-tool.service.ts';
import { sameTool, toolsHash } from './tool-hash.ts';

const OWN_CHANGED = 'The server changed its tools after you approved them. They are off until you approve them again.';

/** The approved tools of a person’s own servers. */
export async function ownTools(ctx: Deps, uid: string): Promise<ServerTool[]> {
  const rows = await listServers(ctx, uid);
  return rows.flatMap((row) => row.tools.map((tool) => ownTool(ctx, row, tool)));
}

function ownTool(ctx: Deps, row: McpServerRow, tool: McpTool): ServerTool {
  const off = row.signedOut ? SIGNED_OUT : row.changedAt === null ? undefined : OWN_CHANGED;
  return {
    ...described(row.key, row.name, tool, off),
    writes: true,
    call: (input, conversation, call) =>
      talkToOwn(ctx, row, { conversation, signal: call.signal }, async (connection, now) => {
        const same = now.find((t) => sameTool(tool, t));
        if (same !== undefined) return callForResult(connection, same, input, call);
        await markChanged(ctx, row, now);
        throw new McpFailed(OWN_CHANGED);
      }),
  };
}

async function markChanged(ctx: Deps, row: McpServerRow, offered: McpTool[]): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    const server = sameServer(row);
    const [now] = await tx.select().from(mcpServers).where(server).for('update');
    // The person may have approved this very change while the call waited.
    if (now === undefined || now.changedAt !== null || toolsHash(now.tools) === toolsHash(offered)) return;
    await tx.update(mcpServers).set({ changedAt: sql`now()`, offered }).where(server);
    await ctx.live.notify(tx, row.userId, 'tools', row.id);
  });
}
