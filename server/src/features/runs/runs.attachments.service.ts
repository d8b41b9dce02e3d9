import { and, eq } from 'drizzle-orm';
import type { Deps } from '../../platform/deps.ts';
import { takeAttachments } from '../attachments/attachments.service.ts';
import { startRun } from './exchange.queries.ts';
import { tasks } from './runs.table.ts';

/**
 * Accepts a message together with its attachments: both, or neither. 400 when an attachment is not there any more; a person who sends the same
 * request again gets the task that it started.
 */
export async function startWithAttachments(
  ctx: Deps,
  start: Parameters<typeof startRun>[2],
  ids: readonly string[],
): ReturnType<typeof startRun> {
  if (ids.length === 0) return startRun(ctx.db, false, start);
  return ctx.db.transaction(async (tx) => {
    const started = await startRun(tx, true, start);
    if (started.outcome !== 'started') return started;
    const attachments = await takeAttachments(tx, start.uid, ids);
    await tx.update(tasks).set({ attachments }).where(isTask(start.uid, start.taskId));
    return { ...started, task: { ...started.task, attachments } };
  });
}

const isTask = (uid: string, id: string) => and(eq(tasks.userId, uid), eq(tasks.id, id));
