import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { McpSignIn } from '@atelier/contract/mcp';
import { validate as isUuid } from 'uuid';
import { type Authorized, type Caller, owned } from '../../access.ts';
import type { Deps } from '../../platform/deps.ts';
import { AppError } from '../../platform/errors.ts';
import { loadOAuth } from '../../platform/mcp/connect.ts';
import { requireLiveSignIn } from '../accounts/accounts.service.ts';
import { askForTools, storeAccess } from './mcp.service.ts';
import { type McpServerRow, mcpServers, sameServer } from './mcp.table.ts';
import { openFetch } from './open-fetch.ts';
import { failedOf } from './server-failure.service.ts';
import { openSecrets, sealSecrets } from './server-secrets.ts';

/** How long a person may take at the sign-in service. */
const PENDING_MS = 15 * 60_000;
/** Where sign-in services send the person back to. */
const CALLBACK = '/api/mcp-servers/signed-in';

const hashOf = (state: string) => createHash('sha256').update(state).digest();

/** The address where the person signs in at a server; 400 with a sentence when it offers no sign-in, 401 as `storeAccess`. */
export async function startSignIn(
  ctx: Deps,
  caller: Caller,
  server: Authorized<McpServerRow>,
  { client }: McpSignIn,
  site: string,
): Promise<{ address: string }> {
  const oauth = await loadOAuth();
  const { fetchFrom, close } = openFetch(ctx.config.FETCH_ALLOWED);
  // The server's id leads back to its row; the rest can't be guessed.
  const state = `${server.id}.${randomBytes(32).toString('base64url')}`;
  try {
    const request = { redirectUrl: `${site}${CALLBACK}`, state, client };
    const { address, signIn } = await oauth.beginSignIn({ url: server.url, fetchFrom }, request);
    const pending = { state: hashOf(state).toString('base64url'), kept: signIn, until: Date.now() + PENDING_MS };
    await ctx.db.transaction(async (tx) => {
      await requireLiveSignIn(tx, caller);
      // Its token may have been renewed meanwhile.
      const [row] = await tx.select().from(mcpServers).where(sameServer(server)).for('update');
      const now = owned(caller.uid, row, 'This server');
      const secrets = sealSecrets(ctx, now, { ...openSecrets(ctx, now), pending });
      await tx.update(mcpServers).set({ secrets }).where(sameServer(now));
    });
    return { address };
  } catch (error) {
    if (error instanceof AppError) throw error;
    const { message, kind } = failedOf(error);
    throw new AppError('invalid_input', message, kind === 'sign_in' ? { field: 'client' } : {});
  } finally {
    await close();
  }
}

/** A person came back from a sign-in service: with a code, or without one because they refused or it failed. */
interface CameBack {
  state: string;
  code: string | undefined;
  /** Who the service says it is. */
  iss: string | undefined;
}

/** Ends a sign-in, asks the server for its tools and stores both. Returns the server's name; throws a sentence. */
export async function endSignIn(ctx: Deps, caller: Caller, { state, code, iss }: CameBack): Promise<string> {
  const [id = ''] = state.split('.');
  const row = isUuid(id) ? await takePending(ctx, { userId: caller.uid, id }, state) : undefined;
  if (row === undefined) {
    throw new AppError('invalid_input', 'This sign-in has ended or was begun elsewhere. Begin it again in Atelier.');
  }
  if (code === undefined) {
    throw new AppError(
      'invalid_input',
      `You are not signed in at “${row.server.name}”: the sign-in was not completed.`,
    );
  }
  const oauth = await loadOAuth();
  const { fetchFrom, close } = openFetch(ctx.config.FETCH_ALLOWED);
  try {
    const signIn = await oauth.finishSignIn({ url: row.server.url, fetchFrom }, row.kept, { code, iss });
    const secrets = { headers: {}, signIn };
    const tools = await askForTools(ctx, row.server, secrets, false);
    // Asking may have renewed the token.
    await storeAccess(ctx, caller, row.server, { access: 'sign_in', secrets }, tools === 'sign_in' ? [] : tools);
    return row.server.name;
  } catch (error) {
    if (error instanceof AppError) throw error;
    throw new AppError('invalid_input', failedOf(error).message);
  } finally {
    await close();
  }
}

/** What was kept for a sign-in, once: who comes with its state again finds nothing. */
async function takePending(ctx: Deps, place: { userId: string; id: string }, state: string) {
  return ctx.db.transaction(async (tx) => {
    const [server] = await tx.select().from(mcpServers).where(sameServer(place)).for('update');
    if (server === undefined) return undefined;
    const { pending, ...rest } = openSecrets(ctx, server);
    if (pending === undefined) return undefined;
    const isSame = timingSafeEqual(hashOf(state), Buffer.from(pending.state, 'base64url'));
    if (!isSame || pending.until < Date.now()) return undefined;
    await tx
      .update(mcpServers)
      .set({ secrets: sealSecrets(ctx, server, rest) })
      .where(sameServer(place));
    return { server, kept: pending.kept };
  });
}
