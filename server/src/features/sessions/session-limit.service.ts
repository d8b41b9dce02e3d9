import { SENTENCES } from '@atelier/contract/errors';
import { type Caller, limitsOf } from '../../access.ts';
import type { Tx } from '../../platform/database/database.ts';
import { AppError } from '../../platform/errors.ts';
import { changeUsage, type LockedUsage, lockUsage } from '../accounts/usage.service.ts';

/** Locks the account's usage, refuses beyond the limit, and counts one more session. */
export async function takeSession(tx: Tx, caller: Caller) {
  requireRoom(await lockUsage(tx, caller.uid), 1);
  await changeUsage(tx, caller.uid, { sessions: 1 });
}

/** Refuses more sessions than the plan has room for; archived ones count like any other. */
export function requireRoom(usage: LockedUsage, more: number) {
  const limit = limitsOf(usage.plan).sessions;
  if (limit !== null && usage.sessionCount + more > limit) {
    throw new AppError('limit_reached', SENTENCES.sessionLimit);
  }
}
