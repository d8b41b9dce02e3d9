import { timingSafeEqual } from 'node:crypto';
import type { Config } from '../config.ts';

/** The installation's secrets, the newest first: it signs and encrypts; what an older one signed or encrypted can still be read. */
export type Secrets = readonly [newest: string, ...older: string[]];

/** The secrets of a configuration whose start has found them. */
export function secretsOf({ AUTH_SECRET, AUTH_SECRET_OLD }: Pick<Config, 'AUTH_SECRET' | 'AUTH_SECRET_OLD'>): Secrets {
  if (AUTH_SECRET === undefined) throw new Error('there is no secret');
  return [AUTH_SECRET, ...AUTH_SECRET_OLD];
}

/** The secret by which a signature was made, if any; it is compared in constant time. */
export const signedBy = (secrets: Secrets, signature: string, sign: (secret: string) => string): string | undefined =>
  secrets.find((secret) => {
    const [actual, wanted] = [Buffer.from(signature), Buffer.from(sign(secret))];
    return actual.length === wanted.length && timingSafeEqual(actual, wanted);
  });
