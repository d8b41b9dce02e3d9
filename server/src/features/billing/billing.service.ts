import { and, eq, type SQL } from 'drizzle-orm';
import { v7 as uuidv7 } from 'uuid';
import type { Tx } from '../../platform/database/database.ts';
import type { Deps } from '../../platform/deps.ts';
import { lockPlan, setPlan } from '../accounts/accounts.counts.service.ts';
import { proGrants } from './billing.table.ts';

interface Grant {
  userId: string;
  source: 'operator' | 'payment';
  /** Why, for the people who read the books. */
  reason: string;
  reference?: string;
  paidAt?: Date;
}

/**
 * Makes an account Pro, for life, in one transaction, and writes down why. Doing it again changes nothing; a payment not seen before
 * is written down even where the account was Pro already. `granted` says whether the plan changed. Every open tab learns of it by
 * the database's own notice. Throws when there is no such account.
 */
export async function grantPro(ctx: Pick<Deps, 'db'>, grant: Grant): Promise<{ granted: boolean }> {
  return ctx.db.transaction((tx) => grantProWithin(tx, grant));
}

/** `grantPro` as part of the caller's transaction: the payment's state and the plan change together or not at all. */
export async function grantProWithin(tx: Tx, grant: Grant): Promise<{ granted: boolean }> {
  const { userId, source, reason, reference, paidAt } = grant;
  const granted = (await lockPlan(tx, userId)) !== 'pro';
  if (!granted && (reference === undefined || (await hasGrant(tx, userId, eq(proGrants.reference, reference)))))
    return { granted };
  // A second payment is for giving back: the document goes on naming the one that counts.
  if (granted || !(await hasGrant(tx, userId, eq(proGrants.source, 'payment'))))
    await setPlan(tx, userId, 'pro', { lastReference: reference, lastPaidAt: paidAt });
  await tx.insert(proGrants).values({ userId, id: uuidv7(), source, reason, reference: reference ?? null });
  return { granted };
}

/** Takes Pro from an account, however it came by it, in the caller's transaction. Returns false where it is Free. The grants stay on the books. */
export async function takeBackProWithin(tx: Tx, userId: string): Promise<boolean> {
  if ((await lockPlan(tx, userId)) !== 'pro') return false;
  await setPlan(tx, userId, 'free');
  return true;
}

const hasGrant = async (tx: Tx, userId: string, which: SQL) =>
  (await tx.$count(proGrants, and(eq(proGrants.userId, userId), which))) > 0;
