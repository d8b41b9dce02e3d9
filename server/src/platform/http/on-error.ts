import { randomUUID } from 'node:crypto';
import { ERROR_STATUS, type ErrorBody, type ErrorCode } from '@atelier/contract/errors';
import type { Context } from 'hono';
import { HTTPException } from 'hono/http-exception';
import { AppError } from '../errors.ts';
import type { Log } from '../log.ts';

const codeOfStatus = new Map<number, ErrorCode>([
  [400, 'invalid_input'],
  [401, 'signed_out'],
  [403, 'forbidden'],
  [404, 'not_found'],
  [413, 'too_large'],
  [415, 'unsupported_type'],
  [429, 'too_many_requests'],
]);

/** Turns whatever a handler threw into the one error body; what we did not foresee is logged and shown without details. */
export function onError(log: Log) {
  return (error: Error, c: Context): Response => {
    const known = asAppError(error);
    if (known === null) {
      const reference = randomUUID();
      log.error('request.failed', error, { reference, method: c.req.method, path: c.req.routePath });
      return answer(c, 'internal', `Something went wrong at the server (${reference}).`);
    }
    if (known.retryAfterSeconds !== undefined) c.header('Retry-After', String(known.retryAfterSeconds));
    return answer(c, known.code, known.message, known.field);
  };
}

function asAppError(error: Error): AppError | null {
  if (error instanceof AppError) return error;
  if (error instanceof HTTPException) {
    const code = codeOfStatus.get(error.status);
    if (code !== undefined) return new AppError(code, sentence(error));
  }
  return null;
}

const sentence = (error: HTTPException) =>
  /json/i.test(error.message) ? 'The body is not valid JSON.' : error.message || 'The request is not valid.';

export function answer(c: Context, code: ErrorCode, message: string, field?: string): Response {
  const body: ErrorBody = { error: field === undefined ? { code, message } : { code, message, field } };
  return c.json(body, ERROR_STATUS[code]);
}
