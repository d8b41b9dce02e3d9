import { randomBytes } from 'node:crypto';
import { MCP_LIMITS, type McpApprove, type McpServer, type McpServerCreate } from '@atelier/contract/mcp';
import { and, count, eq } from 'drizzle-orm';
import { validate as isUuid, v7 as uuidv7 } from 'uuid';
import { type Authorized, type Caller, owned } from '../../access.ts';
import type { Deps } from '../../platform/deps.ts';
import { AppError } from '../../platform/errors.ts';
import type { McpTool } from '../../platform/mcp/mcp-connection.ts';
import { lockUsage } from '../accounts/usage.service.ts';
import { type McpServerRow, mcpServers } from './mcp.table.ts';
import { McpFailed, withServer } from './own-connection.service.ts';
import { toolId } from './server-tools.service.ts';
import { sameTool, toolsHash } from './tool-hash.ts';

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
    state: row.changedAt === null ? 'approved' : 'changed',
    ...changeOf(row),
    createdAt: row.createdAt.toISOString(),
  };
}

/** What waits for approval, and the hash that approves it. */
const changeOf = ({ changedAt, tools, offered }: McpServerRow): Pick<McpServer, 'changes' | 'seen'> =>
  changedAt === null || offered === null
    ? { changes: [], seen: null }
    : { changes: changesOf(tools, offered), seen: toolsHash(offered) };

/** What a new approval would change, tool by tool. */
function changesOf(approved: McpTool[], offered: McpTool[]): McpServer['changes'] {
  const before = new Map(approved.map((tool) => [tool.name, tool]));
  const gone = approved.filter((tool) => !offered.some(({ name }) => name === tool.name));
  return [
    ...offered.flatMap((tool) => {
      const known = before.get(tool.name);
      if (known !== undefined && sameTool(known, tool)) return [];
      const words = ownWordsOf(tool);
      const input = known !== undefined && ownWordsOf(known) === words ? null : words;
      return [{ name: tool.name, before: known?.description ?? null, now: tool.description, input }];
    }),
    ...gone.map((tool) => ({ name: tool.name, before: tool.description, now: null, input: null })),
  ];
}

/** A tool's input schema and annotations, readable. */
const ownWordsOf = ({ inputSchema, annotations }: McpTool): string =>
  JSON.stringify({ input: inputSchema, ...(annotations === undefined ? {} : { annotations }) }, null, 2);

/** The caller's server, or 404. */
export async function getServer(ctx: Deps, caller: Caller, id: string): Promise<Authorized<McpServerRow>> {
  const [row] = isUuid(id) ? await ctx.db.select().from(mcpServers).where(sameServer(caller.uid, id)) : [];
  return owned(caller.uid, row, 'This server');
}

const sameServer = (uid: string, id: string) => and(eq(mcpServers.userId, uid), eq(mcpServers.id, id));

/** Asks a server for its tools and stores them as approved; 400 with a sentence when it can't be reached or has none. */
export async function addServer(ctx: Deps, caller: Caller, input: McpServerCreate): Promise<McpServerRow> {
  const tools = await askForTools(ctx, input.url);
  return ctx.db.transaction(async (tx) => {
    await lockUsage(tx, caller.uid);
    const [held] = await tx.select({ n: count() }).from(mcpServers).where(eq(mcpServers.userId, caller.uid));
    if ((held?.n ?? 0) >= MCP_LIMITS.servers) {
      throw new AppError('conflict', `An account can have at most ${MCP_LIMITS.servers} servers. Remove one first.`);
    }
    const key = `s${randomBytes(4).toString('hex')}`;
    const [row] = await tx
      .insert(mcpServers)
      .values({ ...input, userId: caller.uid, id: uuidv7(), key, tools })
      .returning();
    if (row !== undefined) await ctx.live.notify(tx, caller.uid, 'tools', row.id);
    return owned(caller.uid, row, 'This server');
  });
}

/** Approves a server's tools exactly as shown; 409 when they have changed since, or nothing waits. */
export async function approveServer(
  ctx: Deps,
  server: Authorized<McpServerRow>,
  { seen }: McpApprove,
): Promise<McpServerRow> {
  return ctx.db.transaction(async (tx) => {
    const [now] = await tx.select().from(mcpServers).where(sameServer(server.userId, server.id)).for('update');
    if (now === undefined || now.changedAt === null || now.offered === null) {
      throw new AppError('conflict', 'No change of this server is waiting for approval.');
    }
    if (toolsHash(now.offered) !== seen) {
      throw new AppError('conflict', 'This server changed its tools again. Look at them once more.', { field: 'seen' });
    }
    const [row] = await tx
      .update(mcpServers)
      .set({ tools: now.offered, changedAt: null, offered: null })
      .where(sameServer(server.userId, server.id))
      .returning();
    await ctx.live.notify(tx, server.userId, 'tools', server.id);
    return owned(server.userId, row, 'This server');
  });
}

export async function removeServer(ctx: Deps, server: Authorized<McpServerRow>): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    await tx.delete(mcpServers).where(sameServer(server.userId, server.id));
    await ctx.live.notify(tx, server.userId, 'tools', server.id);
  });
}

async function askForTools(ctx: Deps, url: string): Promise<McpTool[]> {
  try {
    const tools = await withServer(ctx.config, url, (connection) => connection.listTools());
    if (tools.length > 0) return tools;
  } catch (error) {
    if (error instanceof McpFailed) throw new AppError('invalid_input', error.message, { field: 'url' });
    throw error;
  }
  throw new AppError('invalid_input', 'This server offers no tools that can be used.', { field: 'url' });
}
