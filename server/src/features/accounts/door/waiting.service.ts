import type { WaitsFor } from '@atelier/contract/accounts/door';
import { and, asc, eq, isNotNull, sql } from 'drizzle-orm';
import type { Db } from '../../../platform/database/database.ts';
import type { Deps } from '../../../platform/deps.ts';
import { type Also, deleteUser } from '../accounts.closing.service.ts';
import { type MailDeps, queueNotice } from '../accounts.mail.service.ts';
import { user } from '../accounts.table.ts';
import { noteActivity } from '../activity/activity.service.ts';

type Ctx = Pick<Deps, 'db' | 'log'> & MailDeps;

/** New accounts that nobody can sign in to yet, the oldest first. */
export const listWaiting = ({ db }: { db: Db }) =>
  db
    .select({ email: user.email, name: user.name, waitingFor: user.waitingFor, createdAt: user.createdAt })
    .from(user)
    .where(isNotNull(user.waitingFor))
    .orderBy(asc(user.createdAt))
    .limit(1_000);

/**
 * Lets a waiting account in, whatever it waits for, and tells its owner by mail. Returns what it waited for; null when it didn't. `also`
 * belongs into the same transaction.
 */
export async function approveAccount(ctx: Ctx, userId: string, also?: Also): Promise<WaitsFor | null> {
  const waited = await ctx.db.transaction(async (tx) => {
    const [before] = await tx
      .select({ waitingFor: user.waitingFor })
      .from(user)
      .where(eq(user.id, userId))
      .for('update');
    if (before?.waitingFor === undefined || before.waitingFor === null) return null;
    await tx.update(user).set({ waitingFor: null, updatedAt: sql`now()` }).where(eq(user.id, userId));
    await queueNotice(ctx, tx, userId, { kind: 'approved' });
    await also?.(tx);
    return before.waitingFor;
  });
  if (waited !== null) await noteActivity(ctx, userId, 'account_approved');
  return waited;
}

/** Deletes a waiting account, in which nothing can be yet; false when it doesn't wait. `also` belongs into the same transaction. */
export async function rejectAccount({ db }: { db: Db }, userId: string, also?: Also): Promise<boolean> {
  return db.transaction(async (tx) => {
    const waiting = and(eq(user.id, userId), isNotNull(user.waitingFor));
    const [row] = await tx.select({ email: user.email }).from(user).where(waiting).for('update');
    if (row === undefined) return false;
    await deleteUser(tx, { uid: userId, email: row.email });
    await also?.(tx);
    return true;
  });
}
