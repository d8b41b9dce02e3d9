import { and, eq, sql } from 'drizzle-orm';
import type { Deps } from '../../platform/deps.ts';
import { loadClient, loadOAuth } from '../../platform/mcp/connect.ts';
import { type McpConnection, type McpTool, McpUnreachable } from '../../platform/mcp/mcp-connection.ts';
import { createTurns } from '../../platform/turns.ts';
import type { ConnectionKeeper } from './connection-keeper.ts';
import { type McpServerRow, mcpServers, sameServer } from './mcp.table.ts';
import { connectBy, type Fetch } from './open-fetch.ts';
import { failedOf, McpFailed, SIGNED_OUT } from './server-failure.service.ts';
import {
  openSecrets,
  reasonWithoutSecrets,
  type ServerSecrets,
  sealSecrets,
  withoutSecrets,
} from './server-secrets.ts';
import { changesBetween, nowUsable } from './tool-changes.ts';
import type { ToolSource } from './tool-source.ts';

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

const offOf = ({ signedOut, changedAt }: McpServerRow, changed: string) =>
  signedOut ? SIGNED_OUT : changedAt === null ? undefined : changed;

const approvedOf = (row: McpServerRow) => row.tools.map((tool) => ({ tool, off: offOf(row, OWN_CHANGED) }));

/** How a server's pins stand when it offers these tools: as approved, or with a change that waits for the person. */
export const newPins = ({ tools }: Pick<McpServerRow, 'tools'>, offered: McpTool[]) =>
  changesBetween(tools, offered).length === 0
    ? { tools: tools.map((tool) => nowUsable(tool, offered)), changedAt: null, offered: null }
    : { changedAt: sql`coalesce(${mcpServers.changedAt}, now())`, offered };

/** A person's own server. A stranger's is not trusted when it claims to be read-only, and one changed tool switches all of them off. */
export const ownSource = (ctx: Deps, row: McpServerRow): ToolSource => ({
  id: row.id,
  key: row.key,
  name: row.name,
  closedSentence: offOf(row, 'This server has changed since you approved it. Approve it again first.'),
  approvedTools: async () => approvedOf(row),
  refreshedTools: async () => approvedOf(row),
  writes: () => true,
  changedSentence: OWN_CHANGED,
  goneSentence: OWN_CHANGED,
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
      await tx.update(mcpServers).set(newPins(now, offered)).where(server);
      await ctx.live.notify(tx, row.userId, 'tools', row.id);
    }),
});

/** A connection to a person's own server, with what it may know of them, which it doesn't repeat. Throws McpFailed. */
async function connectOwn(ctx: Deps, server: ServerAddress, secrets: ServerSecrets): Promise<McpConnection> {
  try {
    const connection = await connectBy(ctx.config.FETCH_ALLOWED, async (fetchFrom) => {
      const fetchAuthorized = await authorized(ctx, server, secrets, fetchFrom);
      return (await loadClient()).connectHttp({ url: server.url, headers: {}, fetchFrom: fetchAuthorized });
    });
    return withoutSecrets(connection, secrets);
  } catch (error) {
    throw failedOf(await reasonWithoutSecrets(secrets, error));
  }
}

/** What a server offers, over a connection for this question only. Throws McpFailed. */
export async function listOnce(ctx: Deps, server: ServerAddress, secrets: ServerSecrets): Promise<McpTool[]> {
  const connection = await connectOwn(ctx, server, secrets);
  try {
    return await connection.listTools();
  } catch (error) {
    throw failedOf(error);
  } finally {
    await connection.close();
  }
}

/** One renewal of a sign-in at a time. */
const renewals = createTurns(Number.POSITIVE_INFINITY);

/** A server as far as connecting needs it. */
export type ServerAddress = Pick<McpServerRow, 'userId' | 'id' | 'url'>;

/** Adds what the server may know to requests to it, and to no other; renews an ended token once. */
async function authorized(ctx: Deps, server: ServerAddress, secrets: ServerSecrets, fetchFrom: Fetch): Promise<Fetch> {
  const { origin } = new URL(server.url);
  const oauth = secrets.signIn === undefined ? null : await loadOAuth();
  let signIn = secrets.signIn;
  const send: Fetch = (target, init) => {
    if (new URL(target).origin !== origin) return fetchFrom(target, init);
    const headers = new Headers(init?.headers);
    for (const [name, value] of Object.entries(secrets.headers)) headers.set(name, value);
    const token = signIn === undefined ? undefined : oauth?.accessTokenOf(signIn);
    if (token !== undefined) headers.set('authorization', `Bearer ${token}`);
    return fetchFrom(target, { ...init, headers });
  };
  if (oauth === null) return send;
  return async (target, init) => {
    const response = await send(target, init);
    if (response.status !== 401) return response;
    await response.body?.cancel();
    signIn = await renew(ctx, server, { oauth, signIn: signIn ?? '', fetchFrom });
    // The search for secrets in answers has to know it, too.
    secrets.signIn = signIn;
    return send(target, init);
  };
}

interface Renewal {
  oauth: Awaited<ReturnType<typeof loadOAuth>>;
  /** What was refused. */
  signIn: string;
  fetchFrom: Fetch;
}

/** A sign-in with a new token, stored. Several may ask at once: who comes late takes what the first one got. */
async function renew(ctx: Deps, server: ServerAddress, { oauth, signIn, fetchFrom }: Renewal): Promise<string> {
  return renewals.take(server.id, new AbortController().signal, async () => {
    const stored = async () => {
      const [row] = await ctx.db.select().from(mcpServers).where(sameServer(server));
      return { sealed: row?.secrets ?? '', secrets: row && openSecrets(ctx, row) };
    };
    const { sealed, secrets: newer } = await stored();
    if (newer?.signIn !== undefined && newer.signIn !== signIn) return newer.signIn;
    const renewed = await oauth.renewSignIn({ url: server.url, fetchFrom }, signIn);
    if (renewed === null) {
      // Another process may have renewed it meanwhile, which makes the old one worthless.
      const now = (await stored()).secrets?.signIn;
      if (now !== undefined && now !== signIn) return now;
      await ctx.db.transaction(async (tx) => {
        await tx.update(mcpServers).set({ signedOut: true }).where(sameServer(server));
        await ctx.live.notify(tx, server.userId, 'tools', server.id);
      });
      throw new McpUnreachable('sign_in', SIGNED_OUT);
    }
    const secrets = sealSecrets(ctx, server, { headers: {}, ...newer, signIn: renewed });
    // Not where what it knew the person by was suspended meanwhile, or replaced.
    const isAsRead = and(sameServer(server), eq(mcpServers.secrets, sealed));
    await ctx.db.update(mcpServers).set({ secrets, signedOut: false }).where(isAsRead);
    return renewed;
  });
}
