import type { Authorized } from '../../access.ts';
import type { Deps } from '../../platform/deps.ts';
import { forgetSession } from '../memory/forget.service.ts';
import { requestCancelOfSession } from '../runs/runs.cancel.service.ts';
import {
  hideSession,
  lockHidden,
  removeSession,
  type SessionKey,
  type SessionWithAgent,
} from '../sessions/sessions.service.ts';

/** The queue that removes a deleted session for good, after the time for undo. */
export const PURGE_QUEUE = 'sessions.purge';
// The page offers undo for 5 s; a slow network gets as much again.
const PURGE_AFTER_SECONDS = 10;

/** Hides the session at once, subtracts it from the count and stops its run; it is removed for good after the time for undo. */
export async function deleteSession(ctx: Deps, session: Authorized<SessionWithAgent>): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    if (!(await hideSession(ctx, tx, session))) return;
    await requestCancelOfSession(ctx, tx, session);
    const job: SessionKey = { userId: session.userId, sessionId: session.id };
    await ctx.jobs.send(tx, PURGE_QUEUE, job, { startAfterSeconds: PURGE_AFTER_SECONDS });
  });
}

/** Removes a session that is still deleted, with its exchanges and memories, also from other sessions' receipts. */
export async function purgeSession(ctx: Deps, key: SessionKey): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    // Deleted, restored and deleted again: the later deletion has its own job.
    if (!(await lockHidden(tx, key, PURGE_AFTER_SECONDS - 1))) return;
    await forgetSession(ctx, tx, key);
    await removeSession(tx, key);
  });
}
