import { and, eq } from 'drizzle-orm';
import type { Tx } from '../../../platform/database/database.ts';
import type { Deps } from '../../../platform/deps.ts';
import { verification } from '../accounts.identity.table.ts';
import { passkeys } from '../accounts.passkeys.table.ts';
import { deleteSessions, isLinked, lockUser, passwordHash } from '../accounts.service.ts';
import { type SignInTrace, signInTrace } from '../auth/call-notes.ts';
import { forgetBegun } from './suspension.service.ts';

/**
 * Does a sign-in and notes what it came to. Ends it, and returns null, where what proved it was replaced, suspended or removed after it was
 * checked. The lock waits for a change that is about to be committed; a later one finds what the sign-in has stored and ends it itself.
 */
export async function signInUnlessOutdated(
  ctx: Pick<Deps, 'db'>,
  trace: SignInTrace,
  signIn: () => Promise<Response>,
): Promise<Response | null> {
  const response = await signInTrace.run(trace, signIn);
  const { userId, sessionId = '' } = trace;
  if (userId === undefined) return response;
  const isOutdated = await ctx.db.transaction(async (tx) => {
    await lockUser(tx, userId);
    if (await stillProves(tx, userId, trace)) return false;
    await deleteSessions({ db: tx }, [sessionId]);
    await forgetBegun(tx, userId);
    return true;
  });
  return isOutdated ? null : response;
}

async function stillProves(tx: Tx, userId: string, { passkey, provider, passwordHash: checked }: SignInTrace) {
  if (provider !== undefined) return isLinked({ db: tx }, userId, provider);
  if (passkey === undefined) return (await passwordHash({ db: tx }, userId)) === checked;
  return (await tx.$count(passkeys, and(eq(passkeys.userId, userId), eq(passkeys.credentialID, passkey)))) > 0;
}

/** The password's hash of the account whose sign-in waits for its code; null without a password or without such a sign-in. */
export async function hashBehindChallenge(ctx: Pick<Deps, 'db'>, challenge: string): Promise<string | null> {
  const waiting = ctx.db.select({ userId: verification.value }).from(verification);
  const [found] = await waiting.where(eq(verification.identifier, challenge));
  return found === undefined ? null : passwordHash(ctx, found.userId);
}
