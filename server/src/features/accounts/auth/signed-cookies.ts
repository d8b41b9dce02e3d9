import { createHmac } from 'node:crypto';
import { type Secrets, signedBy } from '../../../platform/secrets.ts';

/** As better-auth signs its cookies. Here and now: Web Crypto would hand it to another thread, which takes longer than the signature. */
const sign = (text: string, secret: string) => createHmac('sha256', secret).update(text).digest('base64');

/** What a cookie's value says and which of the secrets has signed it; null when none has. */
export function readSigned(secrets: Secrets, value: string): { text: string; secret: string } | null {
  const [, text = '', signature = ''] = /^(.+)\.([^.]+)$/su.exec(value) ?? [];
  const secret = text === '' ? undefined : signedBy(secrets, signature, (one) => sign(text, one));
  return secret === undefined ? null : { text, secret };
}

/** A request's cookies as if the newest secret had signed them all: better-auth reads the signatures of one secret only. */
export function signAfresh(secrets: Secrets, cookies: string): string {
  if (secrets.length === 1) return cookies;
  const renewed = (pair: string) => {
    const at = pair.indexOf('=');
    const signed = readSigned(secrets, decoded(pair.slice(at + 1)));
    if (at < 0 || signed === null || signed.secret === secrets[0]) return pair;
    return `${pair.slice(0, at)}=${encodeURIComponent(`${signed.text}.${sign(signed.text, secrets[0])}`)}`;
  };
  return cookies
    .split(';')
    .map((pair) => renewed(pair.trim()))
    .join('; ');
}

function decoded(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}
