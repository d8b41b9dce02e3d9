import { SENTENCES } from '@atelier/contract/errors';
import { ApiError, errorText } from '../../lib/http.ts';

/** The provider's codes for an address that has an account already; the second comes out of a race. */
const IN_USE = ['USER_ALREADY_EXISTS', 'USER_ALREADY_EXISTS_USE_ANOTHER_EMAIL', 'FAILED_TO_CREATE_USER'];

function tooMany(error: unknown): string | null {
  if (!(error instanceof ApiError) || error.status !== 429) return null;
  const wait = error.retryAfter === undefined ? 'a moment' : `${Math.ceil(error.retryAfter)} seconds`;
  return `Too many attempts. Please wait ${wait} and try again.`;
}

/** What the sign-up page says: the spec's sentence for a known address, else 'Signup failed: {message}'. */
export function signupRefusal(error: unknown): string {
  if (error instanceof ApiError && IN_USE.includes(error.code)) return SENTENCES.emailInUse;
  return `${SENTENCES.signupFailedPrefix}${tooMany(error) ?? errorText(error)}`;
}

/** What the login page says: the provider's own message. */
export function loginRefusal(error: unknown): string {
  return tooMany(error) ?? errorText(error);
}
