import { SENTENCES } from '@atelier/contract/errors';
import { ApiError, errorText } from '../../lib/http.ts';
import { gaveUp } from './ways-in/ways-in.api.ts';

/** The provider's codes for an email that already has an account; the second comes from a race. */
const IN_USE = ['USER_ALREADY_EXISTS', 'USER_ALREADY_EXISTS_USE_ANOTHER_EMAIL', 'FAILED_TO_CREATE_USER'];

function tooMany(error: unknown): string | null {
  if (!(error instanceof ApiError) || error.status !== 429) return null;
  const wait = error.retryAfter === undefined ? 'a moment' : `${Math.ceil(error.retryAfter)} seconds`;
  return `Too many attempts. Please wait ${wait} and try again.`;
}

/** The sign-up page's error: the specification's sentence for a known email, otherwise 'Signup failed: {message}'. */
export function signupRefusal(error: unknown): string {
  if (error instanceof ApiError && IN_USE.includes(error.code)) return SENTENCES.emailInUse;
  return `${SENTENCES.signupFailedPrefix}${tooMany(error) ?? errorText(error)}`;
}

/** The provider's codes for a sign-in that waited for its code, and doesn't any more: none counts in it. */
const SIGN_IN_OVER = ['INVALID_TWO_FACTOR_COOKIE', 'TOO_MANY_ATTEMPTS_REQUEST_NEW_CODE'];

/** The error of every other form about the account: the provider's own message. */
export function loginRefusal(error: unknown): string {
  if (error instanceof ApiError && SIGN_IN_OVER.includes(error.code)) return 'This sign-in has ended. Start again.';
  return tooMany(error) ?? errorText(error);
}

/** The error of a form that may use a passkey, in a sentence. */
export const passkeyRefusal = (error: unknown): string =>
  gaveUp(error) ? 'The request was cancelled or took too long. Please try again.' : loginRefusal(error);
