import type { Deps } from '../../platform/deps.ts';
import { attachmentsOf, dropUnnamed } from '../attachments/remove-attachments.service.ts';
import { forgetSession } from '../memory/forget.service.ts';
import { handOverToCopies } from '../runs/hand-over.service.ts';
import { requestCancelOfSessions } from '../runs/runs.cancel.service.ts';
import { hideSessions, lockHidden, removeSession } from '../sessions/hide-sessions.service.ts';
import { PURGE_QUEUE, type SessionKey } from '../sessions/sessions.service.ts';

// The page offers undo for 5 s; a slow network gets as much again.
const PURGE_AFTER_SECONDS = 10;

/**
 * Hides sessions at once, subtracts them from the count and stops their runs; they are removed for good after the time for undo. Returns the
 * ids of those that were still there.
 */
export async function deleteSessions(ctx: Deps, uid: string, ids: string[]): Promise<string[]> {
  return ctx.db.transaction(async (tx) => {
    const hidden = await hideSessions(ctx, tx, uid, ids);
    if (hidden.length === 0) return [];
    await requestCancelOfSessions(ctx, tx, uid, hidden);
    const jobs = hidden.map((sessionId) => {
      const data: SessionKey = { userId: uid, sessionId };
      return { queue: PURGE_QUEUE, data, startAfterSeconds: PURGE_AFTER_SECONDS };
    });
    await ctx.jobs.sendAll(tx, jobs);
    return hidden;
  });
}

/**
 * Removes a session that is still deleted, with its exchanges, their attachments and memories, also from other sessions' receipts. What a copy
 * in another session still shows is remembered for that.
 */
export async function purgeSession(ctx: Deps, key: SessionKey): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    // Deleted, restored and deleted again: the later deletion has its own job.
    if (!(await lockHidden(tx, key, PURGE_AFTER_SECONDS - 1))) return;
    await handOverToCopies(tx, key);
    await forgetSession(ctx, tx, key);
    const attached = await attachmentsOf(tx, key.userId, key.sessionId);
    await removeSession(tx, key);
    await dropUnnamed(ctx, tx, key.userId, attached);
  });
}
