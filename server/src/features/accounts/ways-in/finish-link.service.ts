import { eq } from 'drizzle-orm';
import type { Deps } from '../../../platform/deps.ts';
import { authAccount, authSession } from '../accounts.identity.table.ts';
import { isLinked, lockUser } from '../accounts.service.ts';
import { callerOfCall } from '../auth/call-notes.ts';

type Link = Pick<typeof authAccount.$inferSelect, 'id' | 'userId' | 'providerId'>;

/**
 * Whether an account elsewhere may be linked now that somebody comes back with it: by whoever is signed in here, so that nothing begun by a
 * sign-in outlives it. Of two that were begun at once, the second one is refused.
 */
export async function mayLink(deps: Deps, { userId, providerId }: Link): Promise<boolean> {
  const caller = await callerOfCall.getStore()?.();
  return caller?.uid === userId && !(await isLinked(deps, userId, providerId));
}

/** A sign-in that was ended while the link was written takes it along: who ends it holds the lock until nobody can miss that. */
export async function unlinkUnlessSignedIn(deps: Deps, { id, userId }: Link): Promise<void> {
  const { uid, authSessionId } = (await callerOfCall.getStore()?.()) ?? {};
  if (uid !== userId || authSessionId === undefined) return;
  await deps.db.transaction(async (tx) => {
    await lockUser(tx, userId);
    if ((await tx.$count(authSession, eq(authSession.id, authSessionId))) > 0) return;
    await tx.delete(authAccount).where(eq(authAccount.id, id));
  });
}
