import type { Task } from '@atelier/contract/runs';
import { sql } from 'drizzle-orm';
import { z } from 'zod';
import type { Tx } from '../../../platform/database/database.ts';
import type { Deps } from '../../../platform/deps.ts';
import type { LiveMessage } from '../../../platform/live.ts';
import type { LoggedRow } from './run.ts';

export const RUN_CHANNEL = 'atelier_run';

/** The run channel: events were appended (`e`), a task ended (`d`), somebody asks to stop one (`c`). */
export const runNotice = z.object({
  /** The sender; it has told its own followers already. */
  p: z.string(),
  e: z.array(z.tuple([z.string(), z.string()])).optional(),
  d: z.array(z.tuple([z.string(), z.string()])).optional(),
  c: z.array(z.string()).optional(),
});
export type RunNotice = z.infer<typeof runNotice>;

/** Sends an event to this process's followers. */
export function emitEvent(ctx: Deps, { run, seq, event }: LoggedRow): void {
  const { type, ...payload } = event;
  const data = { taskId: run.taskId, sessionId: run.sessionId, seq, ...payload };
  ctx.live.emit(run.uid, { event: type, data } as LiveMessage);
}

/** Sends the end of a task to this process's followers. */
export function emitDone(ctx: Deps, uid: string, task: Task): void {
  const data = { taskId: task.id, sessionId: task.sessionId, seq: task.seq, task };
  ctx.live.emit(uid, { event: 'done', data });
}

/** Notifies the other processes, once the transaction commits. */
export async function notifyRuns(ctx: Deps, tx: Tx, notice: Omit<RunNotice, 'p'>): Promise<void> {
  const full: RunNotice = { p: ctx.processId, ...notice };
  await tx.execute(sql`select pg_notify(${RUN_CHANNEL}, ${JSON.stringify(full)})`);
}

/** Notifies all pages of the user that an exchange began or ended, and that the usage changed. */
export async function notifyTasks(ctx: Deps, tx: Tx, uid: string, sessionId: string): Promise<void> {
  await ctx.live.notify(tx, uid, 'tasks', sessionId);
  await ctx.live.notify(tx, uid, 'account', uid);
}
