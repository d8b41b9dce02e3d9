import { createHmac } from 'node:crypto';
import { base32 } from '@better-auth/utils/base32';

/** What an authenticator app with this key shows now (RFC 6238). */
export const codeOf = (secret: string): string => codeAt(secret, Date.now());

/** What it shows next; it is taken half a minute early. For a second use within that time, because each code works once. */
export const nextCodeOf = (secret: string): string => codeAt(secret, Date.now() + 30_000);

function codeAt(secret: string, ms: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(ms / 30_000)));
  const mac = createHmac('sha1', base32.decode(secret)).update(counter).digest();
  const at = (mac.at(-1) ?? 0) & 15;
  return String((mac.readUInt32BE(at) & 0x7fffffff) % 1_000_000).padStart(6, '0');
}
