import { eq, sql } from 'drizzle-orm';
import { v7 as uuidv7 } from 'uuid';
import type { Deps } from '../../platform/deps.ts';
import { profiles } from '../accounts/accounts.table.ts';
import { proGrants } from './billing.table.ts';

export interface Grant {
  userId: string;
  source: 'operator' | 'payment';
  /** Why, for whoever reads the books. */
  reason: string;
  reference?: string;
  paidAt?: Date;
}

/**
 * Makes an account Pro, for life, in one transaction, and writes down why. Granting again changes nothing. Every open tab learns of
 * it by the database's own notice.
 */
export async function grantPro(ctx: Pick<Deps, 'db'>, grant: Grant): Promise<{ granted: boolean }> {
  return ctx.db.transaction(async (tx) => {
    const [profile] = await tx.select().from(profiles).where(eq(profiles.userId, grant.userId)).for('update');
    if (profile === undefined) throw new Error(`there is no account ${grant.userId}`);
    if (profile.subscriptionStatus === 'pro') return { granted: false };
    await tx
      .update(profiles)
      .set({
        subscriptionStatus: 'pro',
        subscriptionTier: 'pro',
        lastUpdated: sql`now()`,
        ...(grant.reference === undefined ? {} : { lastReference: grant.reference }),
        ...(grant.paidAt === undefined ? {} : { lastPaidAt: grant.paidAt }),
      })
      .where(eq(profiles.userId, grant.userId));
    const { userId, source, reason, reference = null } = grant;
    await tx.insert(proGrants).values({ userId, id: uuidv7(), source, reason, reference });
    return { granted: true };
  });
}
