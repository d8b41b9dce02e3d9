import { loadOAuth } from '../../platform/mcp/connect.ts';
import { McpFailed } from './server-failure.service.ts';
import type { ServerSecrets } from './server-secrets.ts';

/** A shorter secret would blank ordinary words. */
const SECRET_MIN = 8;

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
