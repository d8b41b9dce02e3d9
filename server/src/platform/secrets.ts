import { createCipheriv, createDecipheriv, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto';
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

const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const VERSION = 'v1.';

const encryptionKey = (secret: string) => Buffer.from(hkdfSync('sha256', secret, '', 'atelier sealed text', 32));

/** Encrypts a text for one place, such as a row: moved anywhere else, it can’t be opened. */
export function sealText([secret]: Secrets, place: string, text: string): string {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, encryptionKey(secret), nonce, { authTagLength: TAG_BYTES }).setAAD(
    Buffer.from(place),
  );
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return VERSION + Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64url');
}

/** The sealed text; null when it was sealed with none of the secrets, for another place, or was changed. */
export function openText(secrets: Secrets, place: string, sealed: string): string | null {
  if (!sealed.startsWith(VERSION)) return null;
  const bytes = Buffer.from(sealed.slice(VERSION.length), 'base64url');
  if (bytes.length < NONCE_BYTES + TAG_BYTES) return null;
  for (const secret of secrets) {
    const text = openWith(secret, place, bytes);
    if (text !== null) return text;
  }
  return null;
}

function openWith(secret: string, place: string, bytes: Buffer): string | null {
  const [nonce, tag] = [bytes.subarray(0, NONCE_BYTES), bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES)];
  try {
    const decipher = createDecipheriv(CIPHER, encryptionKey(secret), nonce, { authTagLength: TAG_BYTES })
      .setAAD(Buffer.from(place))
      .setAuthTag(tag);
    return Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()]).toString('utf8');
  } catch {
    return null;
  }
}
