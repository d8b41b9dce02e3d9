import type { Context } from 'hono';
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

/** Up to which event a reader has come; 0 where the header says nothing of use. */
export function lastEventId(header: string | undefined): number {
  const seq = Number(header ?? 0);
  return Number.isSafeInteger(seq) && seq >= 0 ? Math.min(seq, 2 ** 31 - 1) : 0;
}
