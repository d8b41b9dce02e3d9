import { sql } from 'drizzle-orm';
import type { Deps } from '../../platform/deps.ts';
import type { ConnectionKeeper } from './connection-keeper.ts';
import { listServers, type McpServerRow, mcpServers, sameServer } from './mcp.table.ts';
import { connectOwn } from './own-connection.service.ts';
import { failedOf, McpFailed, SIGNED_OUT } from './server-failure.service.ts';
import { openSecrets } from './server-secrets.ts';
import { changesBetween, nowUsable } from './tool-changes.ts';
import { type ServerTool, type ToolSource, toolsOf } from './tool-source.ts';

declare module '../../platform/deps.ts' {
  interface Deps {
    /** Connections to people's own servers, each for one conversation. */
    ownConnections: ConnectionKeeper;
  }
}

const OWN_CHANGED = 'The server changed its tools after you approved them. They are off until you approve them again.';

const connectionKey = ({ userId, id }: Pick<McpServerRow, 'userId' | 'id'>) => `${userId}/${id}`;

/** Ends the connections that know a server as it was. */
export const endConnections = (ctx: Pick<Deps, 'ownConnections'>, server: Pick<McpServerRow, 'userId' | 'id'>): void =>
  ctx.ownConnections.drop(connectionKey(server));

/** The approved tools of a person’s own servers. */
export async function ownTools(ctx: Deps, uid: string): Promise<ServerTool[]> {
  const rows = await listServers(ctx, uid);
  return rows.flatMap((row) => {
    const off = row.signedOut ? SIGNED_OUT : row.changedAt === null ? undefined : OWN_CHANGED;
    return toolsOf(
      ownSource(ctx, row),
      row.tools.map((tool) => ({ tool, off })),
    );
  });
}

/** A person's own server. A stranger's is not trusted when it claims to be read-only, and one changed tool switches all of them off. */
export const ownSource = (ctx: Deps, row: McpServerRow): ToolSource => ({
  key: row.key,
  name: row.name,
  writes: () => true,
  changed: OWN_CHANGED,
  gone: OWN_CHANGED,
  explain: failedOf,
  use: async (asker, talk) => {
    // A run goes on when what the server knew the person by is suspended.
    const [now] = await ctx.db.select().from(mcpServers).where(sameServer(row));
    if (now === undefined) throw new McpFailed('This server was removed.');
    if (now.signedOut) throw new McpFailed(SIGNED_OUT, 'sign_in');
    const open = () => connectOwn(ctx, now, openSecrets(ctx, now));
    return ctx.ownConnections.use({ key: connectionKey(row), isShared: false, open }, asker, talk);
  },
  compare: (offered) =>
    ctx.db.transaction(async (tx) => {
      const server = sameServer(row);
      const [now] = await tx.select().from(mcpServers).where(server).for('update');
      // The person may have approved this very change while the call waited.
      if (now === undefined || now.changedAt !== null) return;
      const change =
        changesBetween(now.tools, offered).length === 0
          ? { tools: now.tools.map((tool) => nowUsable(tool, offered)) }
          : { changedAt: sql`now()`, offered };
      await tx.update(mcpServers).set(change).where(server);
      await ctx.live.notify(tx, row.userId, 'tools', row.id);
    }),
});
