import type { ActivityEvent } from '@atelier/contract/accounts/activity';
import { ERROR_STATUS, type ErrorCode } from '@atelier/contract/errors';

/** An error whose sentence may be shown to the caller. Every other error becomes `internal` without details. */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly field: string | undefined;
  readonly retryAfterSeconds: number | undefined;
  /** What it says of an account’s safety; every refused right says something. */
  readonly activity: ActivityEvent | undefined;

  constructor(
    code: ErrorCode,
    message: string,
    options: { field?: string; retryAfterSeconds?: number; activity?: ActivityEvent; cause?: unknown } = {},
  ) {
    super(message, { cause: options.cause });
    this.name = 'AppError';
    this.code = code;
    this.field = options.field;
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.activity = options.activity ?? (code === 'forbidden' ? 'refused' : undefined);
  }

  get status() {
    return ERROR_STATUS[this.code];
  }
}

/** The answer for anything a caller may not see: the same as for something that does not exist. */
export const notFound = (what: string, options: { activity?: ActivityEvent } = {}) =>
  new AppError('not_found', `${what} was not found.`, options);
