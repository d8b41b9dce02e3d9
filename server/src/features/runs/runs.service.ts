import type { PageQuery } from '@atelier/contract/ids';
import { isInFlight, type SessionSummary, type Task } from '@atelier/contract/runs';
import { validate as isUuid } from 'uuid';
import { type Authorized, type Caller, recallScope } from '../../access.ts';
import type { Deps } from '../../platform/deps.ts';
import { AppError, notFound } from '../../platform/errors.ts';
import { decodeCursor, encodeCursor } from '../../platform/http/cursor.ts';
import { prepareRecall } from '../memory/memory.service.ts';
import { getSession, type SessionWithAgent } from '../sessions/sessions.service.ts';
import { findSummary, findWithout } from './engine/context.queries.ts';
import { findTask, findTasks } from './runs.queries.ts';
import { type RunsContext, STILL_RUNNING, startTask } from './runs.start.service.ts';
import type { summaries } from './summary.table.ts';

/** Starts loading what a question would recall from: one usually follows when a conversation is opened. Returns at once. */
export function expectQuestion(ctx: Deps, caller: Caller, { agent, userId, id }: Authorized<SessionWithAgent>): void {
  if (!agent.memoryEnabled || agent.deletedAt !== null) return;
  prepareRecall(ctx, { userId, agentId: agent.id, sessionId: id, scope: recallScope(caller.plan) });
}

/** A page of the exchanges on the session's chosen path, oldest first; the cursor leads to older ones. */
export async function listTasks(
  ctx: Pick<Deps, 'db'>,
  session: Authorized<Pick<SessionWithAgent, 'userId' | 'id'>>,
  query: PageQuery,
) {
  const found = await findTasks(ctx.db, session.userId, session.id, query.limit + 1, decodeCursor(query.cursor));
  const shown = found.slice(0, query.limit);
  const oldest = shown.at(-1);
  const more = found.length > query.limit && oldest !== undefined;
  const summary = await findSummary(ctx.db, session.userId, session.id);
  return {
    summary: summary === undefined ? null : toSummary(summary),
    tasks: shown.toReversed(),
    nextCursor: more ? encodeCursor({ at: new Date(oldest.timestamp), id: oldest.id }) : null,
  };
}

const toSummary = ({ text, kind, exchanges, until }: typeof summaries.$inferSelect): SessionSummary => ({
  text,
  kind,
  exchanges,
  until: until.toISOString(),
});

/** The caller's task in their session; 404 for anything else. */
export async function getTask(ctx: Deps, caller: Caller, sessionId: string, taskId: string): Promise<Task> {
  await getSession(ctx.db, caller.uid, sessionId);
  const task = isUuid(taskId) ? await findTask(ctx.db, caller.uid, taskId) : undefined;
  if (task === undefined || task.sessionId !== sessionId) throw notFound('This message');
  return task;
}

/** What a message that is sent again takes along. */
export const attachmentIdsOf = ({ attachments = [] }: Task): string[] => attachments.map(({ id }) => id);

/** Sends the words of a failed, stopped or interrupted task again, as its sibling; a second click returns the same new task. */
export async function retryTask(ctx: RunsContext, caller: Caller, sessionId: string, taskId: string): Promise<Task> {
  const task = await getTask(ctx, caller, sessionId, taskId);
  if (isInFlight(task.status)) throw new AppError('conflict', STILL_RUNNING);
  if (task.status === 'done') throw new AppError('conflict', 'This message has already been answered.');
  const session = await getSession(ctx.db, caller.uid, sessionId);
  return startTask(ctx, caller, {
    sessionId,
    agentId: session.agent.slug,
    inputText: task.inputText,
    attachmentIds: attachmentIdsOf(task),
    retryOf: task.id,
  });
}

/** Asks the same question again without some memories of its receipt, as a sibling that counts like any other message. */
export async function askAgain(
  ctx: RunsContext,
  caller: Caller,
  at: { sessionId: string; taskId: string },
  input: { without: string[]; idempotencyKey?: string | undefined },
): Promise<Task> {
  const task = await getTask(ctx, caller, at.sessionId, at.taskId);
  if (isInFlight(task.status)) throw new AppError('conflict', STILL_RUNNING);
  const known = new Set(task.memoryUsed.map((item) => item.id));
  if (!input.without.every((id) => known.has(id))) {
    throw new AppError('invalid_input', 'This memory was not part of the answer.', { field: 'without' });
  }
  const session = await getSession(ctx.db, caller.uid, at.sessionId);
  const without = [...new Set([...(await findWithout(ctx.db, caller.uid, task.id)), ...input.without])];
  return startTask(ctx, caller, {
    sessionId: at.sessionId,
    agentId: session.agent.slug,
    inputText: task.inputText,
    attachmentIds: attachmentIdsOf(task),
    idempotencyKey: input.idempotencyKey,
    again: task.id,
    without,
  });
}
