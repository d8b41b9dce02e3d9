import { randomBytes } from 'node:crypto';
import {
  MCP_LIMITS,
  type McpAccess,
  type McpApprove,
  type McpServer,
  type McpServerCreate,
} from '@atelier/contract/mcp';
import { eq } from 'drizzle-orm';
import { validate as isUuid, v7 as uuidv7 } from 'uuid';
import { type Authorized, type Caller, owned } from '../../access.ts';
import type { Deps } from '../../platform/deps.ts';
import { AppError } from '../../platform/errors.ts';
import type { McpTool } from '../../platform/mcp/mcp-connection.ts';
import { lockUsage } from '../accounts/accounts.counts.service.ts';
import { requireLiveSignIn } from '../accounts/accounts.service.ts';
import { type McpServerRow, mcpServers, sameServer } from './mcp.table.ts';
import { endConnections, listOnce, newPins, type ServerAddress } from './own-source.service.ts';
import { McpFailed } from './server-failure.service.ts';
import { type ServerSecrets, sealSecrets } from './server-secrets.ts';
import { changesBetween, type ToolChange, toolsHash } from './tool-changes.ts';
import { toolId } from './tool-names.ts';

export function toServer(row: McpServerRow): McpServer {
  return {
    id: row.id,
    name: row.name,
    url: row.url,
    tools: row.tools.map((tool) => {
      return { id: toolId(row.key, tool), description: tool.description, writes: true, server: row.name };
    }),
    state: row.signedOut ? 'signed_out' : row.changedAt === null ? 'approved' : 'changed',
    access: row.access,
    ...changeOf(row),
    createdAt: row.createdAt.toISOString(),
  };
}

/** The caller's server, or 404. */
export async function getServer(ctx: Deps, caller: Caller, id: string): Promise<Authorized<McpServerRow>> {
  const own = sameServer({ userId: caller.uid, id });
  const [row] = isUuid(id) ? await ctx.db.select().from(mcpServers).where(own) : [];
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
const changeOf = ({ changedAt, tools, offered }: McpServerRow): Pick<McpServer, 'changes' | 'seen'> =>
  changedAt === null || offered === null
    ? { changes: [], seen: null }
    : { changes: changesBetween(tools, offered).map(shownChange), seen: toolsHash(offered) };

function shownChange({ name, before, now }: ToolChange): McpServer['changes'][number] {
  const words = now === null ? null : ownWordsOf(now);
  const input = before !== null && ownWordsOf(before) === words ? null : words;
  return { name, before: before?.description ?? null, now: now?.description ?? null, input };
}

/** A tool's input schema and annotations, readable. */
const ownWordsOf = ({ inputSchema, annotations }: McpTool): string =>
  JSON.stringify({ input: inputSchema, ...(annotations === undefined ? {} : { annotations }) }, null, 2);

/**
 * Asks a server for its tools and stores them as approved; 400 with a sentence when it can't be reached or has none. A server that wants a
 * sign-in is stored without tools until the person has signed in. Throws 401 when the caller was signed out meanwhile.
 */
export async function addServer(ctx: Deps, caller: Caller, input: McpServerCreate): Promise<McpServerRow> {
  const { headers = {}, ...named } = input;
  const place = { userId: caller.uid, id: uuidv7() };
  const hasHeaders = Object.keys(headers).length > 0;
  const offered = await askForTools(ctx, { ...place, url: input.url }, { headers }, !hasHeaders);
  return ctx.db.transaction(async (tx) => {
    await lockUsage(tx, caller.uid);
    await requireLiveSignIn(tx, caller);
    if ((await tx.$count(mcpServers, eq(mcpServers.userId, caller.uid))) >= MCP_LIMITS.servers) {
      throw new AppError('conflict', `An account can have at most ${MCP_LIMITS.servers} servers. Remove one first.`);
    }
    const secrets = hasHeaders
      ? { access: 'headers' as const, secrets: sealSecrets(ctx, place, { headers }) }
      : offered === 'sign_in'
        ? { access: 'sign_in' as const, signedOut: true }
        : {};
    const [row] = await tx
      .insert(mcpServers)
      .values({
        ...named,
        ...place,
        ...secrets,
        key: `s${randomBytes(4).toString('hex')}`,
        ...(offered === 'sign_in' ? { tools: [], offered: [] } : { tools: offered }),
      })
      .returning();
    if (row !== undefined) await ctx.live.notify(tx, caller.uid, 'tools', row.id);
    return owned(caller.uid, row, 'This server');
  });
}

/** A server's tools, or that it wants a sign-in if that is possible; throws 400 with a sentence. */
export async function askForTools(
  ctx: Deps,
  server: ServerAddress,
  secrets: ServerSecrets,
  maySignIn: boolean,
): Promise<McpTool[] | 'sign_in'> {
  try {
    const tools = await listOnce(ctx, server, secrets);
    if (tools.length > 0) return tools;
  } catch (error) {
    if (!(error instanceof McpFailed)) throw error;
    if (maySignIn && error.kind === 'sign_in') return 'sign_in';
    throw new AppError('invalid_input', error.message, { field: error.kind === 'sign_in' ? 'headers' : 'url' });
  }
  throw new AppError('invalid_input', 'This server offers no tools that can be used.', { field: 'url' });
}

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
    const isFirst = now?.changedAt === null && now.offered !== null;
    const [changed] = await tx
      .update(mcpServers)
      .set({
        access,
        secrets: sealSecrets(ctx, server, secrets),
        signedOut: false,
        ...newPins({ tools: isFirst ? tools : (now?.tools ?? []) }, tools),
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
