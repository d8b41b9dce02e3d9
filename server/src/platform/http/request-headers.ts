import type { Context } from 'hono';
import { v5 as uuidv5, v7 as uuidv7 } from 'uuid';
import { AppError } from '../errors.ts';

const KEY_MAX = 200;

/** The key by which a repeated request is known; 400 for an empty or a very long one. */
export function idempotencyKey(c: Context): string | undefined {
  const header = c.req.header('idempotency-key');
  if (header !== undefined && (header === '' || header.length > KEY_MAX)) {
    throw new AppError('invalid_input', `An Idempotency-Key has 1 to ${KEY_MAX} characters.`, {
      field: 'Idempotency-Key',
    });
  }
  return header;
}

const NAMESPACE = '6b0f6a3e-3c2c-4d0a-9a53-9a0c7d1f4e11';

/** The id of what a request creates: always the same for a key of the same person. */
export const idOfRequest = (uid: string, key: string | undefined): string =>
  key === undefined ? uuidv7() : uuidv5(`${uid} ${key}`, NAMESPACE);

/** Up to which event a reader has come; 0 where the header says nothing of use. */
export function lastEventId(header: string | undefined): number {
  const seq = Number(header ?? 0);
  return Number.isSafeInteger(seq) && seq >= 0 ? Math.min(seq, 2 ** 31 - 1) : 0;
}
