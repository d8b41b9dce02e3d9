import { SENTENCES } from '@atelier/contract/errors';
import { ApiError } from '../../lib/http.ts';

/** Their sentences say what one may do; they stand alone. */
const REFUSALS: ReadonlySet<string> = new Set(['signed_out', 'limit_reached', 'pro_required', 'too_many_requests']);

/** Waits for a call that starts a run; what it throws carries the specification's sentence for one that didn't start. */
export const startingRun = <T>(call: Promise<T>): Promise<T> =>
  call.catch((error: unknown) => {
    throw runFailure(error);
  });

/** The failure with the sentence for people; what has no words for them is written to the console. */
export function runFailure(error: unknown): ApiError {
  if (!(error instanceof ApiError) || error.isWordless) {
    console.error(error);
    const { status, code } = error instanceof ApiError ? error : { status: 0, code: 'unknown' };
    return new ApiError(status, code, SENTENCES.runFailed);
  }
  const { status, code, message, field, retryAfter } = error;
  const sentence = REFUSALS.has(code) ? message : `${SENTENCES.runFailedPrefix}${message}`;
  return new ApiError(status, code, sentence, { field, retryAfter });
}
