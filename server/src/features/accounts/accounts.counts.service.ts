import { and, eq, isNotNull, isNull, sql } from 'drizzle-orm';
import type { Db, Tx } from '../../platform/database/database.ts';
import { lockUser } from './accounts.service.ts';
import { profiles, usage } from './accounts.table.ts';

export interface LockedUsage {
  plan: 'free' | 'pro';
  messageCount: number;
  taskCount: number;
  sessionCount: number;
}

/** Locks the account's usage until the transaction ends, so parallel requests wait their turn; reads the plan under the lock. */
export async function lockUsage(tx: Tx, uid: string): Promise<LockedUsage> {
  const [counts] = await holdUsage(tx, uid);
  if (counts === undefined) throw new Error(`account ${uid} has no usage row`);
  return { ...counts, plan: await planOf(tx, uid) };
}

/** Locks the counts of an account, if it is still there. Every transaction locks them before tasks. */
export const holdUsage = (tx: Tx, uid: string) => tx.select().from(usage).where(eq(usage.userId, uid)).for('update');

/** Adds to the account's counts; none goes below 0. */
export async function changeUsage(tx: Tx, uid: string, by: { messages?: number; tasks?: number; sessions?: number }) {
  const add = (column: typeof usage.messageCount | typeof usage.taskCount | typeof usage.sessionCount, n = 0) =>
    sql`greatest(${column} + ${n}, 0)`;
  await tx
    .update(usage)
    .set({
      messageCount: add(usage.messageCount, by.messages),
      taskCount: add(usage.taskCount, by.tasks),
      sessionCount: add(usage.sessionCount, by.sessions),
    })
    .where(eq(usage.userId, uid));
}

/** Adds one to the number of agents on the user document. */
export async function countAgentCreated(tx: Tx, uid: string): Promise<void> {
  const change = { agentsCreated: sql`${profiles.agentsCreated} + 1`, lastUpdated: sql`now()` };
  await tx.update(profiles).set(change).where(ofAccount(uid));
}

function isThere<Row>(uid: string, [row]: Row[]): Row {
  if (row === undefined) throw new Error(`there is no account ${uid}`);
  return row;
}

const ofAccount = (uid: string) => eq(profiles.userId, uid);

/** The account's current plan; throws when there is no such account. */
export async function planOf(db: Db, uid: string): Promise<'free' | 'pro'> {
  return isThere(uid, await db.select({ plan: profiles.subscriptionStatus }).from(profiles).where(ofAccount(uid))).plan;
}

/** Locks the account's document until the transaction ends and returns its plan; throws when there is no such account. */
export async function lockPlan(tx: Tx, uid: string): Promise<'free' | 'pro'> {
  return isThere(uid, await tx.select().from(profiles).where(ofAccount(uid)).for('update')).subscriptionStatus;
}

/** Stores a plan in both fields of the document, with the payment if there was one. A trigger notifies every open tab. */
export async function setPlan(
  tx: Tx,
  uid: string,
  plan: 'free' | 'pro',
  paid: { lastReference?: string; lastPaidAt?: Date } = {},
): Promise<void> {
  const change = { subscriptionStatus: plan, subscriptionTier: plan, lastUpdated: sql`now()`, ...paid };
  await tx.update(profiles).set(change).where(ofAccount(uid));
}

/** Locks the account until the transaction ends, after its usage; returns why it may not publish, null where it may. */
export async function lockPublishing(tx: Tx, uid: string): Promise<string | null> {
  await lockUser(tx, uid);
  const { publishingBlocked: blocked } = profiles;
  return isThere(uid, await tx.select({ blocked }).from(profiles).where(ofAccount(uid))).blocked;
}

/** Blocks publishing for a reason, or allows it with null. Returns false where that changes nothing. */
export async function setPublishingBlock(tx: Tx, uid: string, reason: string | null): Promise<boolean> {
  await lockUser(tx, uid);
  const isOther = reason === null ? isNotNull(profiles.publishingBlocked) : isNull(profiles.publishingBlocked);
  const changed = await tx
    .update(profiles)
    .set({ publishingBlocked: reason })
    .where(and(eq(profiles.userId, uid), isOther))
    .returning({ userId: profiles.userId });
  return changed.length > 0;
}
