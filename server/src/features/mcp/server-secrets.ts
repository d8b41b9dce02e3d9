import { z } from 'zod';
import type { Deps } from '../../platform/deps.ts';
import { loadOAuth } from '../../platform/mcp/connect.ts';
import { aroundRequests, type McpConnection } from '../../platform/mcp/mcp-connection.ts';
import { openText, sealText, secretsOf } from '../../platform/secrets.ts';
import type { McpServerRow } from './mcp.table.ts';

const stored = z.object({
  headers: z.record(z.string(), z.string()).default({}),
  /** A sign-in as the platform keeps it. */
  signIn: z.string().optional(),
  /** A sign-in that the person has not come back from. */
  pending: z.object({ state: z.string(), kept: z.string(), until: z.number() }).optional(),
});
/** What only a server may learn. */
export type ServerSecrets = z.infer<typeof stored>;

type ServerKey = Pick<McpServerRow, 'userId' | 'id'>;
type Context = Pick<Deps, 'config'>;

const placeOf = ({ userId, id }: ServerKey) => `mcp_servers/${userId}/${id}`;

/** Encrypts a server's secrets for its row. */
export const sealSecrets = (ctx: Context, place: ServerKey, secrets: ServerSecrets): string =>
  sealText(secretsOf(ctx.config), placeOf(place), JSON.stringify(secrets));

/** A row's secrets; none when they were encrypted with a secret that the installation no longer has. */
export function openSecrets(ctx: Context, row: ServerKey & Pick<McpServerRow, 'secrets'>): ServerSecrets {
  const text = row.secrets === null ? null : openText(secretsOf(ctx.config), placeOf(row), row.secrets);
  return text === null ? { headers: {} } : stored.parse(JSON.parse(text));
}

/** A shorter secret would blank ordinary words. */
const SECRET_MIN = 8;

/** The same connection, without what only the server may learn, in case it repeats it. */
export function withoutSecrets(connection: McpConnection, secrets: ServerSecrets): McpConnection {
  const cleaned = aroundRequests(connection, async (request) => {
    try {
      return withoutIn(await request(), await cleanerOf(secrets));
    } catch (error) {
      throw await reasonWithoutSecrets(secrets, error);
    }
  });
  const call: McpConnection['call'] = async (name, input, { onProgress, ask, ...rest }) => {
    const clean = await cleanerOf(secrets);
    return cleaned.call(name, input, {
      ...rest,
      ...(onProgress && { onProgress: (progress) => onProgress(withoutIn(progress, clean)) }),
      ...(ask && { ask: ({ signal, ...question }) => ask({ signal, ...withoutIn(question, clean) }) }),
    });
  };
  return { ...cleaned, call };
}

/** The same error, with its reason cleaned. */
export async function reasonWithoutSecrets(secrets: ServerSecrets, error: unknown): Promise<unknown> {
  // The reason of a signal can't be changed.
  if (error instanceof Error && !(error instanceof DOMException))
    error.message = (await cleanerOf(secrets))(error.message);
  return error;
}

async function cleanerOf({ headers, signIn }: ServerSecrets): Promise<(text: string) => string> {
  const signInSecrets = signIn === undefined ? [] : (await loadOAuth()).secretsOf(signIn);
  // Of `Bearer abc`, the second word is the secret.
  const headerSecrets = Object.values(headers).flatMap((value) => [value, ...value.split(' ')]);
  const hidden = [...headerSecrets, ...signInSecrets].filter((secret) => secret.length >= SECRET_MIN);
  return (text) => hidden.reduce((redacted, secret) => redacted.replaceAll(secret, '[redacted]'), text);
}

/** The same value with every text cleaned; bytes stay. */
function withoutIn<T>(value: T, clean: (text: string) => string): T;
function withoutIn(value: unknown, clean: (text: string) => string): unknown {
  if (typeof value === 'string') return clean(value);
  if (Array.isArray(value)) return value.map((inner) => withoutIn(inner, clean));
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [clean(key), withoutIn(inner, clean)]));
}
