import type { Task } from '@atelier/contract/runs';
import type { Approval } from '@atelier/contract/tools';
import { and, eq, sql } from 'drizzle-orm';
import type { Caller } from '../../access.ts';
import type { Deps } from '../../platform/deps.ts';
import { AppError } from '../../platform/errors.ts';
import { findTask } from './runs.queries.ts';
import { getTask } from './runs.service.ts';
import { tasks } from './runs.table.ts';

/** Stores the person's decision on a waiting call; 409 when none waits. The first decision counts. */
export async function approveCall(
  ctx: Deps,
  caller: Caller,
  at: { sessionId: string; taskId: string },
  { callId, decision }: Approval,
): Promise<Task> {
  const task = await getTask(ctx, caller, at.sessionId, at.taskId);
  const call = task.toolCalls.find((c) => c.id === callId);
  if (task.status !== 'waiting' || call?.state !== 'waiting' || call.asks !== undefined) {
    throw new AppError('conflict', 'This call is no longer waiting for an answer.');
  }
  const written = await ctx.db
    .update(tasks)
    .set({ approvals: sql`${tasks.approvals} || ${JSON.stringify({ [callId]: decision })}::jsonb` })
    .where(
      and(
        eq(tasks.userId, caller.uid),
        eq(tasks.id, task.id),
        eq(tasks.status, 'waiting'),
        sql`not ${tasks.approvals} ? ${callId}`,
      ),
    )
    .returning({ id: tasks.id });
  if (written.length === 0) throw new AppError('conflict', 'This call has already been answered.');
  return (await findTask(ctx.db, caller.uid, task.id)) ?? task;
}
