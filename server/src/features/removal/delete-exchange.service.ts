import type { Caller } from '../../access.ts';
import { noteDeletion } from '../../platform/backup/deletions.ts';
import { inPortions } from '../../platform/database/portions.ts';
import type { Deps } from '../../platform/deps.ts';
import { dropUnnamed } from '../attachments/attachments.service.ts';
import { forgetExchange } from '../memory/forget.service.ts';
import { hideTask, lockHiddenTask, removeHiddenTask } from '../runs/branches.service.ts';
import type { TaskKey } from '../runs/places.table.ts';
import { getTask } from '../runs/runs.service.ts';

/** The queue that removes a deleted exchange for good, after the time for undo. */
export const EXCHANGE_PURGE_QUEUE = 'exchanges.purge';
// The page offers undo for 5 s; a slow network gets as much again.
const PURGE_AFTER_SECONDS = 10;

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
