import { randomBytes } from 'node:crypto';
import { MCP_LIMITS, type McpServer, type McpServerCreate } from '@atelier/contract/mcp';
import { and, asc, count, eq, isNull, sql } from 'drizzle-orm';
import { validate as isUuid, v7 as uuidv7 } from 'uuid';
import { type Authorized, type Caller, owned } from '../../access.ts';
import type { Deps } from '../../platform/deps.ts';
import { AppError } from '../../platform/errors.ts';
import { createGuardedFetch, FetchRefused } from '../../platform/fetch/guarded-fetch.ts';
import { readBlocks } from '../../platform/fetch/public-address.ts';
import { connectHttp, type McpConnection, type McpTool } from '../../platform/mcp/mcp-connection.ts';
import { lockUsage } from '../accounts/usage.service.ts';
import { type McpServerRow, mcpServers } from './mcp.table.ts';
import { operatorLinks, sameTool } from './operator-servers.ts';

/** A tool of a server, as the catalogue and the run know it. */
export interface ServerTool {
  id: string;
  description: string;
  /** Asks before each call. A stranger's server is not believed when it says that it only reads. */
  writes: boolean;
  server: string;
  inputSchema: Record<string, unknown>;
  /** Throws McpFailed with a sentence. */
  call(input: Record<string, unknown>, signal: AbortSignal): Promise<string>;
}

/** Why a server's tool gave no result, in a sentence that may be shown. */
export class McpFailed extends Error {}

const idOf = (key: string, tool: McpTool) => `${key}__${tool.name}`;

export function toServer(row: McpServerRow): McpServer {
  return {
    id: row.id,
    name: row.name,
    url: row.url,
    tools: row.tools.map((tool) => ({
      id: idOf(row.key, tool),
      description: tool.description,
      writes: true,
      server: row.name,
    })),
    state: row.changedAt === null ? 'approved' : 'changed',
    createdAt: row.createdAt.toISOString(),
  };
}

export const listServers = (ctx: Pick<Deps, 'db'>, uid: string): Promise<McpServerRow[]> =>
  ctx.db.select().from(mcpServers).where(eq(mcpServers.userId, uid)).orderBy(asc(mcpServers.createdAt));

/** The caller's server, or 404. */
export async function getServer(ctx: Deps, caller: Caller, id: string): Promise<Authorized<McpServerRow>> {
  const [row] = isUuid(id) ? await ctx.db.select().from(mcpServers).where(sameServer(caller.uid, id)) : [];
  return owned(caller.uid, row, 'This server');
}

const sameServer = (uid: string, id: string) => and(eq(mcpServers.userId, uid), eq(mcpServers.id, id));

/** Asks a server for its tools and keeps them as approved; 400 with a sentence where it can't be reached or has none. */
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
    return owned(caller.uid, row, 'This server');
  });
}

/** Takes the server's tools as it describes them now for approved. */
export async function approveServer(ctx: Deps, server: Authorized<McpServerRow>): Promise<McpServerRow> {
  const tools = await askForTools(ctx, server.url);
  const [row] = await ctx.db
    .update(mcpServers)
    .set({ tools, changedAt: null })
    .where(sameServer(server.userId, server.id))
    .returning();
  return owned(server.userId, row, 'This server');
}

export async function removeServer(ctx: Deps, server: Authorized<McpServerRow>): Promise<void> {
  await ctx.db.delete(mcpServers).where(sameServer(server.userId, server.id));
}

async function askForTools(ctx: Deps, url: string): Promise<McpTool[]> {
  try {
    const tools = await withServer(ctx, url, (connection) => connection.listTools());
    if (tools.length > 0) return tools;
  } catch (error) {
    if (error instanceof McpFailed) throw new AppError('invalid_input', error.message, { field: 'url' });
    throw error;
  }
  throw new AppError('invalid_input', 'This server offers no tools that can be used.', { field: 'url' });
}

/** One conversation with a server of a stranger: connected, used, left. */
async function withServer<T>(ctx: Deps, url: string, talk: (connection: McpConnection) => Promise<T>): Promise<T> {
  const guarded = createGuardedFetch({ allowed: readBlocks(ctx.config.FETCH_ALLOWED) });
  let connection: McpConnection | undefined;
  try {
    // undici's own types for what the platform's fetch has as well.
    const fetchFrom = guarded.once as unknown as (url: string | URL, init?: RequestInit) => Promise<Response>;
    connection = await connectHttp(url, fetchFrom);
    return await talk(connection);
  } catch (error) {
    if (error instanceof McpFailed) throw error;
    if (error instanceof FetchRefused) throw new McpFailed(error.message);
    throw new McpFailed('The server could not be reached, or it does not speak the Model Context Protocol.');
  } finally {
    await connection?.close();
    await guarded.close();
  }
}

/** Every tool that servers offer to a user: the operator's to all, their own to themselves. */
export async function serverTools(ctx: Deps, uid: string): Promise<ServerTool[]> {
  const operator = await Promise.all(operatorLinks(ctx).map((link) => operatorTools(link)));
  const own = (await listServers(ctx, uid)).filter((row) => row.changedAt === null);
  return [...operator.flat(), ...own.flatMap((row) => row.tools.map((tool) => ownTool(ctx, row, tool)))];
}

async function operatorTools(link: ReturnType<typeof operatorLinks>[number]): Promise<ServerTool[]> {
  return (await link.tools()).map((tool) => ({
    id: idOf(link.name, tool),
    description: tool.description,
    writes: !tool.readOnly,
    server: link.name,
    inputSchema: tool.inputSchema,
    call: async (input, signal) => {
      const connection = await link.connect(tool).catch((error: unknown) => {
        const changed = error instanceof Error && error.message.includes('otherwise');
        throw new McpFailed(
          changed
            ? 'The server describes this tool otherwise than when it was approved. Its operator has to restart to approve it.'
            : `The server “${link.name}” can’t be reached.`,
        );
      });
      return readResult(connection, tool, input, signal);
    },
  }));
}

function ownTool(ctx: Deps, row: McpServerRow, tool: McpTool): ServerTool {
  return {
    id: idOf(row.key, tool),
    description: tool.description,
    writes: true,
    server: row.name,
    inputSchema: tool.inputSchema,
    call: (input, signal) =>
      withServer(ctx, row.url, async (connection) => {
        const now = await connection.listTools(signal);
        if (!now.some((t) => sameTool(t, tool))) {
          await markChanged(ctx, row);
          throw new McpFailed(
            'The server describes this tool otherwise than when you approved it. Look at it and approve it again.',
          );
        }
        return readResult(connection, tool, input, signal);
      }),
  };
}

async function markChanged(ctx: Deps, row: McpServerRow): Promise<void> {
  await ctx.db
    .update(mcpServers)
    .set({ changedAt: sql`now()` })
    .where(and(sameServer(row.userId, row.id), isNull(mcpServers.changedAt)));
}

async function readResult(
  connection: McpConnection,
  tool: McpTool,
  input: Record<string, unknown>,
  signal: AbortSignal,
) {
  const result = await connection.call(tool.name, input, signal).catch((error: unknown) => {
    signal.throwIfAborted();
    throw new McpFailed(
      `The server failed: ${error instanceof Error ? error.message.slice(0, 300) : 'no reason was given'}`,
    );
  });
  if (result.isError) throw new McpFailed(result.text.slice(0, 2_000) || 'The tool failed.');
  return result.text;
}
