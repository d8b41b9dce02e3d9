import { AsyncLocalStorage } from 'node:async_hooks';
import type { SignInProvider } from '@atelier/contract/accounts';
import type { Caller } from '../../../access.ts';
import type { Admission } from '../door/door.service.ts';

/** A new password's hash, made before the transaction that stores it: hashing inside would block the embedded database. */
export const preparedHash = new AsyncLocalStorage<string>();

/**
 * While set, no session is deleted, and new ones are noted here. The second factor's calls replace the caller's session, of which open pages
 * hear before they have the new cookie: they would sign themselves out.
 */
export const newSessionIds = new AsyncLocalStorage<string[]>();

/** While set, the caller has proved who they are, and better-auth takes any word for their password. */
export const provenOwner = new AsyncLocalStorage<true>();

/** What a sign-in came to, noted during its call. */
export interface SignInTrace {
  /** The user whose session began, and that session. */
  userId?: string;
  sessionId?: string;
  /** What it was proved by: the stored hash that its password fitted, or that was stored when its code came; a passkey; a provider. */
  passwordHash?: string | null;
  passkey?: string;
  provider?: SignInProvider;
  /** Who linked an account elsewhere instead. */
  linkedBy?: Caller;
  /** The invitation with which somebody came to sign up; one who comes back from a provider has it in the state. */
  invitation?: string | undefined;
  /** How the account was let in that the call opens. */
  admission?: Admission;
  /** The call opened the account. */
  isNew?: true;
}
export const signInTrace = new AsyncLocalStorage<SignInTrace>();

/** Failures that better-auth logged during a call: it answers most of them as the request's fault, or as success. */
export const loggedFailures = new AsyncLocalStorage<unknown[]>();

/** Finds who is signed in at the browser that makes the call. */
export const callerOfCall = new AsyncLocalStorage<() => Promise<Caller | null>>();
