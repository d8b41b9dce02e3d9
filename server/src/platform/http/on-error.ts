import { randomUUID } from 'node:crypto';
import type { ActivityEvent } from '@atelier/contract/accounts/activity';
import { ERROR_STATUS, type ErrorBody, type ErrorCode, SENTENCES } from '@atelier/contract/errors';
import type { Context } from 'hono';
import { HTTPException } from 'hono/http-exception';
import { AppError } from '../errors.ts';
import type { Log } from '../log.ts';
import { type Outage, outageOf } from '../outage.ts';
import { toOpenAiError } from './openai-error.ts';
import { requestOrigin } from './request-origin.ts';

const codeOfStatus = new Map<number, ErrorCode>([
  [400, 'invalid_input'],
  [401, 'signed_out'],
  [403, 'forbidden'],
  [404, 'not_found'],
  [413, 'too_large'],
  [415, 'unsupported_type'],
  [429, 'too_many_requests'],
]);

const SENTENCE_OF: Record<Outage, string> = { away: SENTENCES.unavailable, full: SENTENCES.diskFull };
/** In seconds; every 503 has it unless it sets its own. */
const RETRY_AFTER_SECONDS = 2;
/** An outage fails every request, so it is logged once per this many milliseconds. */
const OUTAGE_LOG_MS = 1_000;

/**
 * Turns every error of a handler into the one error body; unexpected errors are logged and shown without details. `onOutage` is called for
 * each request that failed because of the database or the storage, `onActivity` where a refusal concerns somebody's safety.
 */
export function onError(
  log: Log,
  onOutage: (outage: Outage) => void = () => {},
  onActivity: (event: ActivityEvent, c: Context) => void = () => {},
) {
  let outageLogged = Number.NEGATIVE_INFINITY;
  const asOutage = (error: Error, c: Context): AppError | null => {
    const outage = outageOf(error);
    if (outage === null) return null;
    onOutage(outage);
    if (performance.now() - outageLogged >= OUTAGE_LOG_MS) {
      outageLogged = performance.now();
      log.error('request.unavailable', error, { method: c.req.method, path: c.req.routePath });
    }
    return new AppError('unavailable', SENTENCE_OF[outage]);
  };
  return (error: Error, c: Context): Response => {
    const outage = asOutage(error, c);
    const appError = asAppError(error) ?? outage;
    // The sentence is for the caller; why it failed is for the operator.
    if (outage === null && appError?.cause !== undefined) {
      log.error('request.refused', error, { method: c.req.method, path: c.req.routePath });
    }
    if (appError === null) {
      // The sentence names the request, so that a person's report leads to this line.
      const reference = requestOrigin.getStore()?.id ?? randomUUID();
      log.error('request.failed', error, { reference, method: c.req.method, path: c.req.routePath });
      return answer(c, 'internal', `Something went wrong on the server (${reference}).`);
    }
    if (appError.activity !== undefined) onActivity(appError.activity, c);
    const seconds = appError.retryAfterSeconds ?? (appError.code === 'unavailable' ? RETRY_AFTER_SECONDS : undefined);
    if (seconds !== undefined) c.header('Retry-After', String(seconds));
    return answer(c, appError.code, appError.message, appError.field);
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

/** Answers with an error: in OpenAI's shape under `/v1`, in ours everywhere else. */
export function answer(c: Context, code: ErrorCode, message: string, field?: string): Response {
  if (c.req.path.startsWith('/v1/')) return c.json(toOpenAiError(code, message, field), ERROR_STATUS[code]);
  const body: ErrorBody = { error: field === undefined ? { code, message } : { code, message, field } };
  return c.json(body, ERROR_STATUS[code]);
}
