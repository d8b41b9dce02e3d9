import type { PageQuery } from '@atelier/contract/ids';
import { isInFlight, type SessionSummary, type Task } from '@atelier/contract/runs';
import { and, eq, sql } from 'drizzle-orm';
import { validate as isUuid } from 'uuid';
import { z } from 'zod';
import { type Authorized, type Caller, recallScope } from '../../access.ts';
import type { Db, Tx } from '../../platform/database/database.ts';
import { someOf } from '../../platform/database/portions.ts';
import type { Deps } from '../../platform/deps.ts';
import { AppError, notFound } from '../../platform/errors.ts';
import { decodeCursor, encodeCursor } from '../../platform/http/cursor.ts';
import type { AgentRow } from '../agents/agents.table.ts';
import { prepareRecall } from '../memory/memory.service.ts';
import { getSession, type SessionKey, type SessionWithAgent } from '../sessions/sessions.service.ts';
import { findSummary, findWithout } from './engine/context.queries.ts';
import { findTask, findTasks } from './runs.queries.ts';
import { type DepsWithRunner, STILL_RUNNING, startTask } from './runs.start.service.ts';
import { type summaries, tasks, toolMedia } from './runs.table.ts';

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
  const tasks = await findTasks(ctx.db, session.userId, session.id, query.limit + 1, decodeCursor(query.cursor));
  const shown = tasks.slice(0, query.limit);
  const oldest = shown.at(-1);
  const more = tasks.length > query.limit && oldest !== undefined;
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

/** A message as it is sent again, in its session. */
export const messageOf = ({ sessionId, inputText, attachments = [] }: Task, { slug: agentId }: AgentRow) => ({
  sessionId,
  agentId,
  inputText,
  attachmentIds: attachments.map(({ id }) => id),
});

/** Sends the words of a failed, stopped or interrupted task again, as its sibling; a second click returns the same new task. */
export async function retryTask(ctx: DepsWithRunner, caller: Caller, sessionId: string, taskId: string): Promise<Task> {
  const task = await getTask(ctx, caller, sessionId, taskId);
  if (isInFlight(task.status)) throw new AppError('conflict', STILL_RUNNING);
  if (task.status === 'done') throw new AppError('conflict', 'This message has already been answered.');
  const { agent } = await getSession(ctx.db, caller.uid, sessionId);
  return startTask(ctx, caller, { ...messageOf(task, agent), retryOf: task.id });
}

/** Asks the same question again without some memories of its receipt, as a sibling that counts like any other message. */
export async function askAgain(
  ctx: DepsWithRunner,
  caller: Caller,
  at: { sessionId: string; taskId: string },
  input: { without: string[]; idempotencyKey?: string | undefined },
): Promise<Task> {
  const task = await getTask(ctx, caller, at.sessionId, at.taskId);
  if (isInFlight(task.status)) throw new AppError('conflict', STILL_RUNNING);
  const memoryIds = new Set(task.memoryUsed.map((item) => item.id));
  if (!input.without.every((id) => memoryIds.has(id))) {
    throw new AppError('invalid_input', 'This memory was not part of the answer.', { field: 'without' });
  }
  const { agent } = await getSession(ctx.db, caller.uid, at.sessionId);
  const without = [...new Set([...(await findWithout(ctx.db, caller.uid, task.id)), ...input.without])];
  return startTask(ctx, caller, { ...messageOf(task, agent), ...input, again: task.id, without });
}

/** One file that a tool of the caller's task answered; 404 for anybody else. */
export async function getMedia(
  ctx: Deps,
  caller: Caller,
  { sessionId, taskId, mediaId }: { sessionId: string; taskId: string; mediaId: string },
) {
  const task = await getTask(ctx, caller, sessionId, taskId);
  const same = and(eq(toolMedia.userId, caller.uid), eq(toolMedia.taskId, task.id), eq(toolMedia.id, mediaId));
  const [row] = isUuid(mediaId) ? await ctx.db.select().from(toolMedia).where(same) : [];
  if (row === undefined) throw notFound('This file');
  return row;
}

const moved = z.object({ rows: z.array(z.unknown()) });

/**
 * Before a session is removed: the memories of some of its exchanges that other sessions continue belong to the first copy from now on, and the
 * other copies are copies of that one. Returns 0 once there are no more.
 */
export async function handOverToCopies(db: Db, { userId, sessionId }: SessionKey, size: number): Promise<number> {
  const result = await db.execute(sql`with heirs as (
      select distinct on (c.origin_id) c.origin_id, c.task_id, c.session_id
      from task_places o
        join task_places c on c.user_id = o.user_id and c.origin_id = o.task_id and c.session_id <> o.session_id
        join chat_sessions s on s.user_id = c.user_id and s.id = c.session_id
      where o.user_id = ${userId} and o.session_id = ${sessionId} and c.deleted_at is null
      order by c.origin_id, s.deleted_at is not null, s.created_at, c.task_id limit ${size}
    ), moved as (
      update memories m set session_id = h.session_id, task_id = h.task_id from heirs h
      where m.user_id = ${userId} and m.session_id = ${sessionId} and m.task_id = h.origin_id
    )
    update task_places c set origin_id = nullif(h.task_id, c.task_id) from heirs h
    where c.user_id = ${userId} and c.origin_id = h.origin_id returning 1`);
  return moved.parse(result).rows.length;
}

/** Removes some of a session's exchanges, with their places and whatever their tools answered; returns what was attached to each. */
export const removeTasks = (tx: Tx, { userId, sessionId }: SessionKey, size: number) =>
  tx
    .delete(tasks)
    .where(someOf(tasks, and(eq(tasks.userId, userId), eq(tasks.sessionId, sessionId)), size))
    .returning({ attachments: tasks.attachments });
