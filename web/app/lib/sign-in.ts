import { accountCalls, type Me, signInEnd } from '@atelier/contract/accounts';
import { SENTENCES } from '@atelier/contract/errors';
import { z } from 'zod';
import { ApiError, call, request } from './http.ts';

/** The identity provider's answer to `get-session`; null when signed out. */
const sessionAnswer = z
  .object({ session: z.object({ expiresAt: z.coerce.date() }), user: z.object({ id: z.string() }) })
  .nullable();

/** Who is signed in, and until when unless renewed. */
export interface SignIn {
  uid: string;
  /** Milliseconds since 1970. */
  expiresAt: number;
}

/** Asks who is signed in, which also renews a session when due. Throws ApiError without an answer. */
export async function fetchSignIn(): Promise<SignIn | null> {
  const answer = await request(sessionAnswer, 'GET', '/api/auth/get-session');
  return answer && { uid: answer.user.id, expiresAt: answer.session.expiresAt.getTime() };
}

/** The signed-in account; null when the server no longer accepts it (ended, disabled, deleted). */
export async function fetchMe(signal?: AbortSignal): Promise<Me | null> {
  try {
    return await call(accountCalls.get, signal && { signal });
  } catch (error) {
    if (error instanceof ApiError && (error.status === 401 || error.status === 403)) return null;
    throw error;
  }
}

/** Why a sign-in ended that nobody ended on this page, in a sentence for people. */
export async function fetchSignInEnd(): Promise<string> {
  const { reason } = await request(signInEnd, 'GET', '/api/auth/ended').catch(() => ({ reason: null }));
  return reason === 'disabled' ? SENTENCES.accountDisabled : SENTENCES.signInEnded;
}

const anything = z.unknown();

/** Has the browser clear its copies of our pages, which may take it seconds: nobody waits for that. */
export const clearPages = () => void fetch('/api/auth/signed-out', { method: 'POST', keepalive: true }).catch(() => {});

/** Signs out at the server, which removes the cookie. Throws ApiError. */
export async function postSignOut(): Promise<void> {
  await request(anything, 'POST', '/api/auth/sign-out', {});
  clearPages();
}

const signInAnswer = z.object({ twoFactorRedirect: z.boolean().optional() });

/** Signs in with email and password; false when the account asks for a code as well. Throws ApiError with the provider's code and message. */
export async function postSignIn(input: { email: string; password: string }): Promise<boolean> {
  const { twoFactorRedirect } = await request(signInAnswer, 'POST', '/api/auth/sign-in/email', input);
  return twoFactorRedirect !== true;
}

/** Ends a sign-in that asked for a code: six digits of the app, or a recovery code. Throws ApiError with the provider's code and message. */
export async function postSignInCode(code: string): Promise<void> {
  const kind = /^\d{6}$/u.test(code.replaceAll(/\s/gu, '')) ? 'totp' : 'backup-code';
  await request(anything, 'POST', `/api/auth/two-factor/verify-${kind}`, { code });
}

/** Creates an account and signs it in; `name` is the display name. Throws ApiError with the provider's code. */
export async function postSignUp(input: { name: string; email: string; password: string }): Promise<void> {
  await request(anything, 'POST', '/api/auth/sign-up/email', input);
}
