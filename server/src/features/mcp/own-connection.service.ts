import { and, eq } from 'drizzle-orm';
import type { Deps } from '../../platform/deps.ts';
import { createGuardedFetch, FetchRefused } from '../../platform/fetch/guarded-fetch.ts';
import { readBlocks } from '../../platform/fetch/public-address.ts';
import { connectHttp, loadOAuth } from '../../platform/mcp/connect.ts';
import {
  type FailureKind,
  type McpCall,
  type McpConnection,
  McpRefused,
  type McpResult,
  type McpTool,
  McpUnreachable,
} from '../../platform/mcp/mcp-connection.ts';
import { type McpServerRow, mcpServers } from './mcp.table.ts';
import { openSecrets, type ServerSecrets, sealSecrets } from './server-secrets.ts';

/** Why a server or its tool gave no result, in a sentence that may be shown. */
export class McpFailed extends Error {
  readonly kind: FailureKind | undefined;
  constructor(message: string, kind?: FailureKind) {
    super(message);
    this.kind = kind;
  }
}

/** What a tool answered, without what the server must not repeat. */
export type ServerAnswer = Omit<McpResult, 'isError'>;

/** A server as far as connecting needs it. */
export type Reached = Pick<McpServerRow, 'userId' | 'id' | 'url'>;

type Fetch = (url: string | URL, init?: RequestInit) => Promise<Response>;

const SIGNED_OUT = 'Your sign-in at this server has ended. Sign in again, in the list of tool servers.';
/** A shorter secret would blank ordinary words. */
const SECRET_MIN = 8;

/** A fetch that reaches only what a stranger may name, and how to end it. */
export function openFetch({ config }: Pick<Deps, 'config'>): { fetchFrom: Fetch; close(): Promise<void> } {
  // How long a server may be silent is decided by the protocol: a tool may work for long.
  const guarded = createGuardedFetch({ allowed: readBlocks(config.FETCH_ALLOWED), silenceMs: 0 });
  // undici's own types for what the platform's fetch also has.
  return { fetchFrom: guarded.once as unknown as Fetch, close: guarded.close };
}

/** A connection to a person's own server, with what it may know of them. Throws McpFailed. */
export async function connectOwn(ctx: Deps, server: Reached, secrets: ServerSecrets): Promise<McpConnection> {
  const { fetchFrom, close } = openFetch(ctx);
  try {
    const known = await authorized(ctx, server, secrets, fetchFrom);
    const connection = await connectHttp({ url: server.url, headers: {}, fetchFrom: known });
    void connection.closed.then(close);
    return connection;
  } catch (error) {
    await close();
    throw failedOf(error);
  }
}

/** One conversation with a stranger's server: connect, use, disconnect. Throws McpFailed. */
export async function withServer<T>(
  ctx: Deps,
  server: Reached,
  secrets: ServerSecrets,
  talk: (connection: McpConnection) => Promise<T>,
): Promise<T> {
  const connection = await connectOwn(ctx, server, secrets);
  try {
    return await talk(connection);
  } catch (error) {
    throw failedOf(error);
  } finally {
    await connection.close();
  }
}

export function failedOf(error: unknown): McpFailed {
  if (error instanceof McpFailed) return error;
  if (error instanceof McpRefused) return new McpFailed(error.message, 'said_no');
  if (error instanceof FetchRefused) return new McpFailed(error.message, 'refused');
  if (error instanceof McpUnreachable) return new McpFailed(error.message, error.kind);
  return new McpFailed('The server does not speak the Model Context Protocol at this address.', 'not_mcp');
}

/** Adds what the server may know to requests to it, and to no other; renews an ended token once. */
async function authorized(ctx: Deps, server: Reached, secrets: ServerSecrets, fetchFrom: Fetch): Promise<Fetch> {
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
async function renew(ctx: Deps, server: Reached, { oauth, signIn, fetchFrom }: Renewal): Promise<string> {
  return ctx.ownSessions.inTurn(server.id, async () => {
    const stored = async () => {
      const [row] = await ctx.db.select().from(mcpServers).where(sameServer(server));
      return row === undefined ? undefined : openSecrets(ctx, row);
    };
    const newer = await stored();
    if (newer?.signIn !== undefined && newer.signIn !== signIn) return newer.signIn;
    const renewed = await oauth.renewSignIn({ url: server.url, fetchFrom }, signIn);
    if (renewed === null) {
      // Another process may have renewed it meanwhile, which makes the old one worthless.
      const now = (await stored())?.signIn;
      if (now !== undefined && now !== signIn) return now;
      await ctx.db.transaction(async (tx) => {
        await tx.update(mcpServers).set({ signedOut: true }).where(sameServer(server));
        await ctx.live.notify(tx, server.userId, 'tools', server.id);
      });
      throw new McpUnreachable('sign_in', SIGNED_OUT);
    }
    const secrets = sealSecrets(ctx, server, { headers: {}, ...newer, signIn: renewed });
    await ctx.db.update(mcpServers).set({ secrets }).where(sameServer(server));
    return renewed;
  });
}

const sameServer = ({ userId, id }: Reached) => and(eq(mcpServers.userId, userId), eq(mcpServers.id, id));

/** A tool's answer; throws McpFailed for errors of the server or the tool, and the signal's reason. */
export async function callForResult(
  connection: McpConnection,
  tool: McpTool,
  input: Record<string, unknown>,
  call: McpCall,
): Promise<ServerAnswer> {
  const { isError, ...answer } = await connection.call(tool.name, input, call).catch((error: unknown) => {
    call.signal.throwIfAborted();
    if (error instanceof McpUnreachable) throw new McpFailed(error.message, error.kind);
    throw new McpFailed(
      `The server failed: ${error instanceof Error ? error.message.slice(0, 300) : 'no reason was given'}`,
    );
  });
  if (isError) throw new McpFailed(answer.text.slice(0, 2_000) || 'The tool failed.');
  return answer;
}

/** Removes what only the server may learn, in case it repeats it. */
export async function withoutSecrets<T>(secrets: ServerSecrets, work: () => Promise<T>): Promise<T> {
  const kept = secrets.signIn === undefined ? [] : (await loadOAuth()).secretsOf(secrets.signIn);
  // Of `Bearer abc`, the second word is the secret.
  const given = Object.values(secrets.headers).flatMap((value) => [value, ...value.split(' ')]);
  const hidden = [...given, ...kept].filter((secret) => secret.length >= SECRET_MIN);
  const clean = (text: string) => hidden.reduce((left, secret) => left.replaceAll(secret, '[redacted]'), text);
  try {
    return withoutIn(await work(), clean);
  } catch (error) {
    throw error instanceof McpFailed ? new McpFailed(clean(error.message), error.kind) : error;
  }
}

/** The same value with every text cleaned; bytes stay. */
function withoutIn<T>(value: T, clean: (text: string) => string): T;
function withoutIn(value: unknown, clean: (text: string) => string): unknown {
  if (typeof value === 'string') return clean(value);
  if (Array.isArray(value)) return value.map((inner) => withoutIn(inner, clean));
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [clean(key), withoutIn(inner, clean)]));
}
