import { v7 as uuidv7 } from 'uuid';
import type { Tx } from '../../../platform/database/database.ts';
import { proGrants } from '../../billing/billing.table.ts';
import { lockPlan, setPlan } from '../accounts.counts.service.ts';

/** Gives an account Pro because the operator said so beforehand, and writes down why; nothing where it is Pro already. */
export async function grantByRule(tx: Tx, userId: string, reason: string): Promise<void> {
  if ((await lockPlan(tx, userId)) === 'pro') return;
  await setPlan(tx, userId, 'pro');
  await tx.insert(proGrants).values({ userId, id: uuidv7(), source: 'operator', reason, reference: null });
}
