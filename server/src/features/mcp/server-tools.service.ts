import { and, asc, eq, sql } from 'drizzle-orm';
import type { Deps } from '../../platform/deps.ts';
import type { McpTool } from '../../platform/mcp/mcp-connection.ts';
import { type McpServerRow, mcpServers } from './mcp.table.ts';
import type { OperatorLink } from './operator-servers.ts';
import { McpFailed, readResult, withServer } from './own-connection.service.ts';
import { sameTool, toolHash, toolsHash } from './tool-hash.ts';

/** A server's tool, for the catalogue and for runs. */
export interface ServerTool {
  id: string;
  description: string;
  /** Asks before each call. A stranger's server is not trusted when it claims to be read-only. */
  writes: boolean;
  server: string;
  inputSchema: Record<string, unknown>;
  /** Identifies what was approved: approvals, grants and attachments refer to it. */
  hash: string;
  /** Why it is off: a call fails with this sentence. */
  off?: string;
  /** Throws McpFailed with a sentence. */
  call(input: Record<string, unknown>, signal: AbortSignal): Promise<string>;
}

const OPERATORS_CHANGED =
  'The server changed this tool after it was approved. It is off until the operator approves it again.';
const OWN_CHANGED = 'The server changed its tools after you approved them. They are off until you approve them again.';

/** The id of a server's tool in the catalogue; models call it by this name. */
export const toolId = (key: string, tool: McpTool): string => `${key}__${tool.name}`;

/** A user's own servers, oldest first. */
export const listServers = (ctx: Pick<Deps, 'db'>, uid: string): Promise<McpServerRow[]> =>
  ctx.db.select().from(mcpServers).where(eq(mcpServers.userId, uid)).orderBy(asc(mcpServers.createdAt));

/** Every tool that servers offer to a user, as approved: the operator's to everyone, a person's own to themselves. */
export async function serverTools(ctx: Deps, uid: string): Promise<ServerTool[]> {
  const operator = await Promise.all(ctx.operatorLinks.map((link) => operatorTools(link)));
  const own = await listServers(ctx, uid);
  return [...operator.flat(), ...own.flatMap((row) => row.tools.map((tool) => ownTool(ctx, row, tool)))];
}

async function operatorTools(link: OperatorLink): Promise<ServerTool[]> {
  return (await link.tools()).map(({ tool, isOff }) => ({
    id: toolId(link.name, tool),
    description: tool.description,
    writes: !tool.readOnly,
    server: link.name,
    inputSchema: tool.inputSchema,
    hash: toolHash(tool),
    ...(isOff ? { off: OPERATORS_CHANGED } : {}),
    call: async (input, signal) => {
      const { connection, offers } = await link.connect(tool).catch(() => {
        throw new McpFailed(`The server “${link.name}” can’t be reached.`);
      });
      if (offers === 'changed') throw new McpFailed(OPERATORS_CHANGED);
      if (offers === 'gone') throw new McpFailed('The server does not offer this tool any more.');
      return readResult(connection, tool, input, signal);
    },
  }));
}

function ownTool(ctx: Deps, row: McpServerRow, tool: McpTool): ServerTool {
  return {
    id: toolId(row.key, tool),
    description: tool.description,
    writes: true,
    server: row.name,
    inputSchema: tool.inputSchema,
    hash: toolHash(tool),
    ...(row.changedAt === null ? {} : { off: OWN_CHANGED }),
    call: (input, signal) =>
      withServer(ctx.config, row.url, async (connection) => {
        const now = await connection.listTools(signal);
        if (!now.some((t) => sameTool(tool, t))) {
          await markChanged(ctx, row, now);
          throw new McpFailed(OWN_CHANGED);
        }
        return readResult(connection, tool, input, signal);
      }),
  };
}

async function markChanged(ctx: Deps, row: McpServerRow, offered: McpTool[]): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    const server = and(eq(mcpServers.userId, row.userId), eq(mcpServers.id, row.id));
    const [now] = await tx.select().from(mcpServers).where(server).for('update');
    // The person may have approved this very change while the call waited.
    if (now === undefined || now.changedAt !== null || toolsHash(now.tools) === toolsHash(offered)) return;
    await tx.update(mcpServers).set({ changedAt: sql`now()`, offered }).where(server);
    await ctx.live.notify(tx, row.userId, 'tools', row.id);
  });
}
