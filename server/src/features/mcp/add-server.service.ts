import { randomBytes } from 'node:crypto';
import { MCP_LIMITS, type McpServerCreate } from '@atelier/contract/mcp';
import { eq } from 'drizzle-orm';
import { v7 as uuidv7 } from 'uuid';
import { type Caller, owned } from '../../access.ts';
import type { Deps } from '../../platform/deps.ts';
import { AppError } from '../../platform/errors.ts';
import type { McpTool } from '../../platform/mcp/mcp-connection.ts';
import { requireLiveSignIn } from '../accounts/accounts.service.ts';
import { lockUsage } from '../accounts/usage.service.ts';
import { type McpServerRow, mcpServers } from './mcp.table.ts';
import type { Reached } from './own-connection.service.ts';
import { listOnce } from './own-connection.service.ts';
import { McpFailed } from './server-failure.service.ts';
import { type ServerSecrets, sealSecrets } from './server-secrets.ts';

/**
 * Asks a server for its tools and stores them as approved; 400 with a sentence when it can't be reached or has none. A server that wants a
 * sign-in is stored without tools until the person has signed in. Throws 401 when the caller was signed out meanwhile.
 */
export async function addServer(ctx: Deps, caller: Caller, input: McpServerCreate): Promise<McpServerRow> {
  const { headers = {}, ...named } = input;
  const place = { userId: caller.uid, id: uuidv7() };
  const hasHeaders = Object.keys(headers).length > 0;
  const found = await askForTools(ctx, { ...place, url: input.url }, { headers }, !hasHeaders);
  return ctx.db.transaction(async (tx) => {
    await lockUsage(tx, caller.uid);
    await requireLiveSignIn(tx, caller);
    if ((await tx.$count(mcpServers, eq(mcpServers.userId, caller.uid))) >= MCP_LIMITS.servers) {
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

/** A server's tools, or that it wants a sign-in if that is possible; throws 400 with a sentence. */
export async function askForTools(
  ctx: Deps,
  server: Reached,
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
