import type { Task } from '@atelier/contract/runs';
import type { Approval, ToolAnswer } from '@atelier/contract/tools';
import { and, eq, sql } from 'drizzle-orm';
import type { Caller } from '../../access.ts';
import type { Deps } from '../../platform/deps.ts';
import { AppError } from '../../platform/errors.ts';
import { findTask } from './runs.queries.ts';
import { getTask } from './runs.service.ts';
import { tasks } from './runs.table.ts';

interface At {
  sessionId: string;
  taskId: string;
}

/** Stores the person's decision on a waiting call; 409 when none waits. The first decision counts. */
export async function approveCall(ctx: Deps, caller: Caller, at: At, { callId, decision }: Approval): Promise<Task> {
  const task = await getTask(ctx, caller, at.sessionId, at.taskId);
  const call = task.toolCalls.find((c) => c.id === callId);
  if (task.status !== 'waiting' || call?.state !== 'waiting' || call.asks !== undefined) {
    throw new AppError('conflict', 'This call is no longer waiting for an answer.');
  }
  return decide(ctx, caller, task, { id: callId, decision, decided: 'This call has already been answered.' });
}

/** Stores the person's answer to a server's question; 409 when none waits. The first answer counts. */
export async function answerServer(ctx: Deps, caller: Caller, at: At, answer: ToolAnswer): Promise<Task> {
  const task = await getTask(ctx, caller, at.sessionId, at.taskId);
  const asks = task.toolCalls.find((call) => call.asks?.id === answer.id)?.asks;
  if (task.status !== 'waiting' || asks === undefined) {
    throw new AppError('conflict', 'This question is no longer waiting for an answer.');
  }
  const missing = asks.fields.find(({ name, required }) => required && !Object.hasOwn(answer.content, name));
  if (answer.action === 'accept' && missing !== undefined) {
    throw new AppError('invalid_input', `“${missing.label}” is required.`, { field: missing.name });
  }
  const decided = 'This question has already been answered.';
  return decide(ctx, caller, task, { id: answer.id, decision: answer, decided });
}

/** Stores the first decision on what waits under this id; 409 with `decided` for every other. */
async function decide(
  ctx: Deps,
  caller: Caller,
  task: Task,
  { id, decision, decided }: { id: string; decision: Approval['decision'] | ToolAnswer; decided: string },
): Promise<Task> {
  const written = await ctx.db
    .update(tasks)
    .set({ approvals: sql`${tasks.approvals} || ${JSON.stringify({ [id]: decision })}::jsonb` })
    .where(
      and(
        eq(tasks.userId, caller.uid),
        eq(tasks.id, task.id),
        eq(tasks.status, 'waiting'),
        sql`not ${tasks.approvals} ? ${id}`,
      ),
    )
    .returning({ id: tasks.id });
  if (written.length === 0) throw new AppError('conflict', decided);
  return (await findTask(ctx.db, caller.uid, task.id)) ?? task;
}
