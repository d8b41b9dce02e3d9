import { eq } from 'drizzle-orm';
import type { Deps } from '../../../platform/deps.ts';
import { authAccount } from '../accounts.identity.table.ts';
import { isLinked, isStillSignedIn } from '../accounts.service.ts';
import { callerOfCall, signInTrace } from '../auth/call-notes.ts';

type Link = Pick<typeof authAccount.$inferSelect, 'id' | 'userId' | 'providerId'>;

/**
 * Whether an account elsewhere may be linked now that somebody comes back with it: by whoever is signed in here, so that nothing begun by a
 * sign-in outlives it. Of two that were begun at once, the second one is refused.
 */
export async function mayLink(deps: Deps, { userId, providerId }: Link): Promise<boolean> {
  const caller = await callerOfCall.getStore()?.();
  if (caller?.uid !== userId || (await isLinked(deps, userId, providerId))) return false;
  Object.assign(signInTrace.getStore() ?? {}, { linkedBy: caller });
  return true;
}

/** A sign-in that was ended while the link was written takes it along: who ends it holds the lock until nobody can miss that. */
export async function unlinkUnlessSignedIn(deps: Deps, { id }: Pick<Link, 'id'>): Promise<void> {
  const { linkedBy } = signInTrace.getStore() ?? {};
  if (linkedBy === undefined) return;
  await deps.db.transaction(async (tx) => {
    if (!(await isStillSignedIn(tx, linkedBy))) await tx.delete(authAccount).where(eq(authAccount.id, id));
  });
}
