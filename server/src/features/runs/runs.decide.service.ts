import { problemOf, type ServerField } from '@atelier/contract/mcp/server-fields';
import type { Task } from '@atelier/contract/runs';
import type { Approval, ToolAnswer } from '@atelier/contract/tools';
import { and, eq, sql } from 'drizzle-orm';
import type { Caller } from '../../access.ts';
import type { Deps } from '../../platform/deps.ts';
import { AppError } from '../../platform/errors.ts';
import { runJavaScript } from '../../platform/sandbox/javascript.ts';
import type { TaskAt } from './branches.service.ts';
import { findTask } from './runs.queries.ts';
import { getTask } from './runs.service.ts';
import { tasks } from './runs.table.ts';

const NEVER = new AbortController().signal;

/** Stores the person's decision on a waiting call; 409 when none waits. The first decision counts. */
export async function approveCall(
  ctx: Deps,
  caller: Caller,
  at: TaskAt,
  { callId, decision }: Approval,
): Promise<Task> {
  const task = await getTask(ctx, caller, at.sessionId, at.taskId);
  const call = task.toolCalls.find((c) => c.id === callId);
  if (task.status !== 'waiting' || call?.state !== 'waiting' || call.asks !== undefined) {
    throw new AppError('conflict', 'This call is no longer waiting for an answer.');
  }
  return decide(ctx, caller, task, { id: callId, decision, decided: 'This call has already been answered.' });
}

/** Stores the person's answer to a server's question; 409 when none waits. The first answer counts. */
export async function answerServer(ctx: Deps, caller: Caller, at: TaskAt, answer: ToolAnswer): Promise<Task> {
  const task = await getTask(ctx, caller, at.sessionId, at.taskId);
  const asks = task.toolCalls.find((call) => call.asks?.id === answer.id)?.asks;
  if (task.status !== 'waiting' || asks === undefined) {
    throw new AppError('conflict', 'This question is no longer waiting for an answer.');
  }
  if (answer.action === 'accept') await checkAnswer(asks.fields, answer.content);
  const decided = 'This question has already been answered.';
  return decide(ctx, caller, task, { id: answer.id, decision: answer, decided });
}

/** Throws 400 that names the first field whose value the server did not ask for. */
async function checkAnswer(fields: ServerField[], content: ToolAnswer['content']): Promise<void> {
  const refuse = (sentence: string, field: string) => new AppError('invalid_input', sentence, { field });
  const [other] = Object.keys(content).filter((name) => fields.every((field) => field.name !== name));
  if (other !== undefined) throw refuse('The server did not ask for this field.', other);
  for (const field of fields) {
    const value = Object.hasOwn(content, field.name) ? content[field.name] : undefined;
    const problem = problemOf(field, value);
    if (problem !== null) throw refuse(problem, field.name);
    if (typeof value !== 'string' || field.pattern === undefined) continue;
    if (!(await matches(field.pattern, value)))
      throw refuse(`“${field.label}” doesn’t have the form that the server wants: ${field.pattern}`, field.name);
  }
}

/** Whether a text has the form of a stranger's pattern, which is tried where it can't hold up anybody; one that can't be tried says yes. */
async function matches(pattern: string, value: string): Promise<boolean> {
  const [source, text] = [JSON.stringify(pattern), JSON.stringify(value)];
  const code = `(() => { for (const f of ['u', '']) try { return new RegExp(${source}, f).test(${text}) } catch {} })()`;
  return (await runJavaScript(code, NEVER)).value !== 'false';
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
