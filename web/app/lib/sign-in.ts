import { accountCalls, type Me } from '@atelier/contract/accounts';
import type { WaitsFor } from '@atelier/contract/accounts/door';
import { signInCalls, twoFactorCalls } from '@atelier/contract/accounts/sign-in';
import { SENTENCES } from '@atelier/contract/errors';
import { ApiError, addressOf, call } from './http.ts';

/** Who is signed in, and until when unless renewed. */
export interface SignIn {
  uid: string;
  /** Milliseconds since 1970. */
  expiresAt: number;
  /** Where the stream of changes stood before everything that this page has read; unknown where something was read earlier. */
  position?: string | undefined;
}

/** Asks who is signed in, which also renews a session when due. Throws ApiError without an answer. */
export async function fetchSignIn(): Promise<SignIn | null> {
  const answer = await call(signInCalls.get);
  return answer && { uid: answer.user.id, expiresAt: Date.parse(answer.session.expiresAt), position: answer.position };
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
  const { reason } = await call(signInCalls.ended).catch(() => ({ reason: null }));
  return reason === 'disabled' ? SENTENCES.accountDisabled : SENTENCES.signInEnded;
}

/** Has the browser clear its copies of our pages, which may take it seconds: nobody waits for that. */
export const clearPages = () =>
  void fetch(addressOf(signInCalls.clearBrowser, {}), { method: 'POST', keepalive: true }).catch(() => {});

/** Signs out at the server, which removes the cookie. Throws ApiError. */
export async function postSignOut(): Promise<void> {
  await call(signInCalls.signOut);
  clearPages();
}

/** Signs in with email and password; false when the account asks for a code as well. Throws ApiError with the provider's code and message. */
export async function postSignIn(input: { email: string; password: string }): Promise<boolean> {
  return !('twoFactorRedirect' in (await call(signInCalls.signIn, { body: input })));
}

/** Ends a sign-in that asked for a code: six digits of the app, or a recovery code. Throws ApiError with the provider's code and message. */
export async function postSignInCode(code: string): Promise<void> {
  const isOfApp = /^\d{6}$/u.test(code.replaceAll(/\s/gu, ''));
  await call(twoFactorCalls[isOfApp ? 'verifyTotp' : 'verifyRecoveryCode'], { body: { code } });
}

/** Creates an account and signs it in, unless it waits: returns for what. `name` is the display name. Throws ApiError with the provider's code. */
export async function postSignUp(input: {
  name: string;
  email: string;
  password: string;
  invitation: string | undefined;
}): Promise<WaitsFor | null> {
  return (await call(signInCalls.signUp, { body: input })).waitingFor ?? null;
}
