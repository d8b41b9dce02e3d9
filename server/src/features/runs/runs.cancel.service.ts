import { isInFlight, type Task } from '@atelier/contract/runs';
import { and, eq, inArray, sql } from 'drizzle-orm';
import type { Caller } from '../../access.ts';
import type { Tx } from '../../platform/database/database.ts';
import type { Deps } from '../../platform/deps.ts';
import { holdUsage } from '../accounts/accounts.counts.service.ts';
import { interruptOwn } from './engine/lease.service.ts';
import { notifyRuns } from './engine/notices.service.ts';
import { inFlightOf, notYetCancelled } from './runs.queries.ts';
import { getTask } from './runs.service.ts';
import type { DepsWithRunner } from './runs.start.service.ts';
import { tasks } from './runs.table.ts';

/** Asks the process that runs the task to stop it, and ends a task that nobody runs. Does nothing for an ended task. */
export async function cancelTask(
  ctx: DepsWithRunner,
  caller: Caller,
  sessionId: string,
  taskId: string,
): Promise<Task> {
  const task = await getTask(ctx, caller, sessionId, taskId);
  await ctx.db.transaction((tx) => requestCancel(ctx, tx, caller.uid, eq(tasks.id, task.id)));
  if (!isInFlight(task.status) || ctx.runner.runs(task.id)) return task;
  await interruptOwn(ctx, task.id);
  return getTask(ctx, caller, sessionId, taskId);
}

export async function requestCancelOfSessions(ctx: Deps, tx: Tx, uid: string, ids: string[]) {
  await requestCancel(ctx, tx, uid, inArray(tasks.sessionId, ids));
}

export async function requestCancelOfAgent(ctx: Deps, tx: Tx, agent: { userId: string; id: string }) {
  await requestCancel(ctx, tx, agent.userId, eq(tasks.agentId, agent.id));
}

/** Stops all runs of an account. */
export const requestCancelOfUser = (ctx: Deps, tx: Tx, uid: string) =>
  requestCancel(ctx, tx, uid, eq(tasks.userId, uid));

/** Stops all runs of an account that is being deleted, and deletes their exchanges: whatever they still store finds none. */
export async function stopRunsOfUser(ctx: Deps, tx: Tx, uid: string) {
  // With the account goes its usage, which an answer that ends locks before its task.
  await holdUsage(tx, uid);
  await requestCancelOfUser(ctx, tx, uid);
  await tx.delete(tasks).where(inFlightOf(uid));
}

async function requestCancel(ctx: Deps, tx: Tx, uid: string, which: ReturnType<typeof eq>) {
  const running = await tx
    .update(tasks)
    .set({ cancelRequestedAt: sql`now()` })
    .where(and(inFlightOf(uid), which, notYetCancelled))
    .returning({ id: tasks.id });
  if (running.length > 0) await notifyRuns(ctx, tx, { c: running.map((row) => row.id) });
}
