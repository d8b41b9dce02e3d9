import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import type { Secrets } from './secrets.ts';

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
