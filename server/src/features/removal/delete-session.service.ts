import type { Caller } from '../../access.ts';
import { noteDeletion } from '../../platform/backup/deletions.ts';
import type { Tx } from '../../platform/database/database.ts';
import { deleteInPortions, inPortions, WIDE_ROWS } from '../../platform/database/portions.ts';
import type { Deps } from '../../platform/deps.ts';
import { dropUnnamed, dropUploads } from '../attachments/attachments.service.ts';
import { forgetExchange, forgetSession } from '../memory/forget.service.ts';
import { hideTask, lockHiddenTask, removeHiddenTask } from '../runs/branches.service.ts';
import type { TaskKey } from '../runs/places.table.ts';
import { requestCancelOfSessions } from '../runs/runs.cancel.service.ts';
import { getTask, handOverToCopies, removeTasks } from '../runs/runs.service.ts';
import { beginRemoval, hideSessions, removeSession } from '../sessions/hide-sessions.service.ts';
import { PURGE_QUEUE, type SessionKey } from '../sessions/sessions.service.ts';
import { waitingRows } from './removal.queries.ts';

/** The queue that removes a deleted exchange for good, after the time for undo. */
export const EXCHANGE_PURGE_QUEUE = 'exchanges.purge';
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
 * Removes a session that is still deleted, with its exchanges, their attachments and memories, also from other sessions' receipts, in portions.
 * What a copy in another session still shows is remembered for that.
 */
export async function purgeSession(ctx: Deps, key: SessionKey): Promise<void> {
  // Deleted, restored and deleted again: the later deletion has its own job.
  if (!(await beginRemoval(ctx.db, key, PURGE_AFTER_SECONDS - 1))) return;
  await noteDeletion(ctx, { kind: 'session', userId: key.userId, ids: [key.sessionId] });
  await inPortions(ctx.db, (tx, size) => handOverToCopies(tx, key, size));
  await forgetSession(ctx, key);
  await inPortions(ctx.db, (tx, size) => removeExchanges(ctx, tx, key, size), WIDE_ROWS);
  // What waits to be sent names attachments too.
  await deleteInPortions(ctx.db, ...waitingRows(key));
  await dropUploads(ctx, key);
  await removeSession(ctx.db, key);
}

async function removeExchanges(ctx: Deps, tx: Tx, key: SessionKey, size: number): Promise<number> {
  const removed = await removeTasks(tx, key, size);
  const attached = removed.flatMap(({ attachments }) => attachments.map(({ id }) => id));
  await dropUnnamed(ctx, tx, key.userId, attached);
  return removed.length;
}

/** Hides one exchange at once: it is not shown, recalled or found any more. It is removed for good after the time for undo. */
export async function deleteExchange(ctx: Deps, caller: Caller, sessionId: string, taskId: string): Promise<void> {
  const task = await getTask(ctx, caller, sessionId, taskId);
  await hideExchange(ctx, { userId: caller.uid, sessionId, taskId: task.id });
}

/** The same for one that is known to be there. */
export const hideExchange = (ctx: Deps, key: TaskKey, whileAnswering = false): Promise<void> =>
  hideTask(
    ctx,
    key,
    (tx) => ctx.jobs.send(tx, EXCHANGE_PURGE_QUEUE, key, { startAfterSeconds: PURGE_AFTER_SECONDS }),
    whileAnswering,
  );

/** Removes an exchange that is still deleted, with its attachments and memories, also from other receipts, in portions. */
export async function purgeExchange(ctx: Deps, key: TaskKey): Promise<void> {
  const done = new Set<string>();
  await inPortions(ctx.db, async (tx) => {
    // Deleted, restored and deleted again: the later deletion has its own job.
    if (!(await lockHiddenTask(tx, key, PURGE_AFTER_SECONDS - 1))) return 0;
    const forgotten = await forgetExchange(ctx, tx, key, done);
    if (forgotten > 0) return forgotten;
    // While it is locked, so that nobody restores it meanwhile.
    await noteDeletion(ctx, { kind: 'exchange', userId: key.userId, ids: [key.taskId], sessionId: key.sessionId });
    await dropUnnamed(ctx, tx, key.userId, await removeHiddenTask(tx, key));
    return 0;
  });
}
