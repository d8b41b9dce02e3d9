import { randomBytes } from 'node:crypto';
import {
  MCP_LIMITS,
  type McpAccess,
  type McpApprove,
  type McpServer,
  type McpServerCreate,
} from '@atelier/contract/mcp';
import { and, count, eq, sql } from 'drizzle-orm';
import { validate as isUuid, v7 as uuidv7 } from 'uuid';
import { type Authorized, type Caller, owned } from '../../access.ts';
import type { Deps } from '../../platform/deps.ts';
import { AppError } from '../../platform/errors.ts';
import type { McpTool } from '../../platform/mcp/mcp-connection.ts';
import { lockUsage } from '../accounts/usage.service.ts';
import { type McpServerRow, mcpServers } from './mcp.table.ts';
import { McpFailed, type Reached, withoutSecrets, withServer } from './own-connection.service.ts';
import { type ServerSecrets, sealSecrets } from './server-secrets.ts';
import { sameTool, toolsHash } from './tool-hash.ts';
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

/**
 * Asks a server for its tools and stores them as approved; 400 with a sentence when it can't be reached or has none. A server that wants a
 * sign-in is stored without tools until the person has signed in.
 */
export async function addServer(ctx: Deps, caller: Caller, input: McpServerCreate): Promise<McpServerRow> {
  const { headers = {}, ...named } = input;
  const place = { userId: caller.uid, id: uuidv7() };
  const hasHeaders = Object.keys(headers).length > 0;
  const found = await askForTools(ctx, { ...place, url: input.url }, { headers }, !hasHeaders);
  return ctx.db.transaction(async (tx) => {
    await lockUsage(tx, caller.uid);
    const [held] = await tx.select({ n: count() }).from(mcpServers).where(eq(mcpServers.userId, caller.uid));
    if ((held?.n ?? 0) >= MCP_LIMITS.servers) {
      throw new AppError('conflict', `An account can have at most ${MCP_LIMITS.servers} servers. Remove one first.`);
    }
    const known = hasHeaders
      ? { access: 'headers' as const, secrets: sealSecrets(ctx, place, { headers }) }
      : found === 'sign_in'
        ? { access: 'sign_in' as const, signedOut: true }
        : {};
    const [row] = await tx
      .insert(mcpServers)
      .values({
        ...named,
        ...place,
        ...known,
        key: `s${randomBytes(4).toString('hex')}`,
        tools: found === 'sign_in' ? [] : found,
      })
      .returning();
    if (row !== undefined) await ctx.live.notify(tx, caller.uid, 'tools', row.id);
    return owned(caller.uid, row, 'This server');
  });
}

/** Replaces the headers that a server gets, once it has accepted the new ones; 400 with a sentence otherwise. */
export async function changeAccess(
  ctx: Deps,
  server: Authorized<McpServerRow>,
  { headers }: McpAccess,
): Promise<McpServerRow> {
  const tools = await askForTools(ctx, server, { headers }, false);
  const access = Object.keys(headers).length > 0 ? 'headers' : 'none';
  return storeAccess(ctx, server, { access, secrets: { headers } }, tools === 'sign_in' ? [] : tools);
}

/**
 * Stores what a server knows the person by, after it was tried. What the server offers now is approved only if nothing was approved
 * before: otherwise a difference waits for the person.
 */
export async function storeAccess(
  ctx: Deps,
  server: Pick<McpServerRow, 'userId' | 'id'>,
  { access, secrets }: { access: McpServerRow['access']; secrets: ServerSecrets },
  tools: McpTool[],
): Promise<McpServerRow> {
  const row = await ctx.db.transaction(async (tx) => {
    const [now] = await tx.select().from(mcpServers).where(sameServer(server.userId, server.id)).for('update');
    const isFirst = now !== undefined && now.tools.length === 0 && now.changedAt === null;
    const isSame = now !== undefined && toolsHash(now.tools) === toolsHash(tools);
    const [changed] = await tx
      .update(mcpServers)
      .set({
        access,
        secrets: sealSecrets(ctx, server, secrets),
        signedOut: false,
        ...(isFirst || isSame
          ? { tools, changedAt: null, offered: null }
          : { changedAt: sql`coalesce(${mcpServers.changedAt}, now())`, offered: tools }),
      })
      .where(sameServer(server.userId, server.id))
      .returning();
    await ctx.live.notify(tx, server.userId, 'tools', server.id);
    return owned(server.userId, changed, 'This server');
  });
  // Connections that know the old headers.
  ctx.ownSessions.drop(`${server.userId}/${server.id}/`);
  return row;
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

/** Removes a server with all that it knows the person by. */
export async function removeServer(ctx: Deps, server: Authorized<McpServerRow>): Promise<void> {
  ctx.ownSessions.drop(`${server.userId}/${server.id}/`);
  await ctx.db.transaction(async (tx) => {
    await tx.delete(mcpServers).where(sameServer(server.userId, server.id));
    await ctx.live.notify(tx, server.userId, 'tools', server.id);
  });
}

/** A server's tools, or that it wants a sign-in if that is possible; throws 400 with a sentence. */
export async function askForTools(
  ctx: Deps,
  server: Reached,
  secrets: ServerSecrets,
  maySignIn: boolean,
): Promise<McpTool[] | 'sign_in'> {
  try {
    const tools = await withoutSecrets(secrets, () =>
      withServer(ctx, server, secrets, (connection) => connection.listTools()),
    );
    if (tools.length > 0) return tools;
  } catch (error) {
    if (!(error instanceof McpFailed)) throw error;
    if (maySignIn && error.kind === 'sign_in') return 'sign_in';
    throw new AppError('invalid_input', error.message, { field: error.kind === 'sign_in' ? 'headers' : 'url' });
  }
  throw new AppError('invalid_input', 'This server offers no tools that can be used.', { field: 'url' });
}
