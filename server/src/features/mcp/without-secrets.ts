import { loadOAuth } from '../../platform/mcp/connect.ts';
import type { ServerSecrets } from './server-secrets.ts';

/** A shorter secret would blank ordinary words. */
const SECRET_MIN = 8;

/** Removes what only the server may learn, in case it repeats it. */
export async function withoutSecrets<T>(secrets: ServerSecrets, work: () => Promise<T>): Promise<T> {
  try {
    return withoutIn(await work(), await cleanerOf(secrets));
  } catch (error) {
    throw await reasonWithoutSecrets(secrets, error);
  }
}

/** The same error, with its reason cleaned. */
export async function reasonWithoutSecrets(secrets: ServerSecrets, error: unknown): Promise<unknown> {
  // The reason of a signal can't be changed.
  if (error instanceof Error && !(error instanceof DOMException))
    error.message = (await cleanerOf(secrets))(error.message);
  return error;
}

async function cleanerOf({ headers, signIn }: ServerSecrets): Promise<(text: string) => string> {
  const kept = signIn === undefined ? [] : (await loadOAuth()).secretsOf(signIn);
  // Of `Bearer abc`, the second word is the secret.
  const given = Object.values(headers).flatMap((value) => [value, ...value.split(' ')]);
  const hidden = [...given, ...kept].filter((secret) => secret.length >= SECRET_MIN);
  return (text) => hidden.reduce((left, secret) => left.replaceAll(secret, '[redacted]'), text);
}

/** The same value with every text cleaned; bytes stay. */
function withoutIn<T>(value: T, clean: (text: string) => string): T;
function withoutIn(value: unknown, clean: (text: string) => string): unknown {
  if (typeof value === 'string') return clean(value);
  if (Array.isArray(value)) return value.map((inner) => withoutIn(inner, clean));
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [clean(key), withoutIn(inner, clean)]));
}
