import { type ToolAnswer, type ToolCall, toolAnswer } from '@atelier/contract/tools';
import { and, eq, sql } from 'drizzle-orm';
import type { Caller } from '../../../access.ts';
import type { Deps } from '../../../platform/deps.ts';
import { AppError } from '../../../platform/errors.ts';
import type { McpAnswer, McpQuestion } from '../../../platform/mcp/mcp-connection.ts';
import { waitForWord } from '../engine/await-decision.service.ts';
import type { Run } from '../engine/run.ts';
import { findTask } from '../runs.queries.ts';
import { getTask } from '../runs.service.ts';
import { tasks } from '../runs.table.ts';
import { readForm } from './question-form.ts';

const MESSAGE_MAX = 4_000;
const QUESTIONS_MAX = 10;

/** Asks the person what a server wants to know in the middle of a call; shown with the call until they answer. */
export async function askForServer(
  ctx: Deps,
  run: Run,
  asked: { call: ToolCall; server: string; count: number; question: McpQuestion },
  show: (change: Partial<ToolCall>) => Promise<void>,
): Promise<McpAnswer> {
  const { call, server, count, question } = asked;
  const fields = readForm(question.schema);
  if (fields === null || count > QUESTIONS_MAX) return { action: 'cancel' };
  const id = `${call.id}/${count}`;
  const message = question.message.slice(0, MESSAGE_MAX).replaceAll('\0', '').toWellFormed();
  await show({ state: 'waiting', asks: { id, server, message, fields } });
  const word = await waitForWord(ctx, run, id);
  delete call.asks;
  await show({ state: 'running' });
  if (word === null) return { action: 'cancel' };
  const { action, content } = toolAnswer.parse(JSON.parse(word));
  return action === 'accept' ? { action, content } : { action };
}

/** Stores the person's answer to a server's question; 409 when none waits. The first answer counts. */
export async function answerServer(
  ctx: Deps,
  caller: Caller,
  at: { sessionId: string; taskId: string },
  answer: ToolAnswer,
) {
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
