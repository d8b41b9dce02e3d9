import type { Task } from '@atelier/contract/runs';
import type { ToolAnswer } from '@atelier/contract/tools';
import { and, eq, sql } from 'drizzle-orm';
import type { Caller } from '../../access.ts';
import type { Deps } from '../../platform/deps.ts';
import { AppError } from '../../platform/errors.ts';
import { findTask } from './runs.queries.ts';
import { getTask } from './runs.service.ts';
import { tasks } from './runs.table.ts';

/** Stores the person's answer to a server's question; 409 when none waits. The first answer counts. */
export async function answerServer(
  ctx: Deps,
  caller: Caller,
  at: { sessionId: string; taskId: string },
  answer: ToolAnswer,
): Promise<Task> {
  const task = await getTask(ctx, caller, at.sessionId, at.taskId);
  const asks = task.toolCalls.find((call) => call.asks?.id === answer.id)?.asks;
  if (task.status !== 'waiting' || asks === undefined) {
    throw new AppError('conflict', 'This question is no longer waiting for an answer.');
  }
  const missing = asks.fields.find(({ name, required }) => required && !Object.hasOwn(answer.content, name));
  if (answer.action === 'accept' && missing !== undefined) {
    throw new AppError('invalid_input', `“${missing.label}” is required.`, { field: missing.name });
  }
  const written = await ctx.db
    .update(tasks)
    .set({ approvals: sql`${tasks.approvals} || ${JSON.stringify({ [answer.id]: answer })}::jsonb` })
    .where(
      and(
        eq(tasks.userId, caller.uid),
        eq(tasks.id, task.id),
        eq(tasks.status, 'waiting'),
        sql`not ${tasks.approvals} ? ${answer.id}`,
      ),
    )
    .returning({ id: tasks.id });
  if (written.length === 0) throw new AppError('conflict', 'This question has already been answered.');
  return (await findTask(ctx.db, caller.uid, task.id)) ?? task;
}
