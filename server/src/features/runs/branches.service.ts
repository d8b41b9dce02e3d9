import type { Task } from '@atelier/contract/runs';
import { validate as isUuid } from 'uuid';
import type { Caller } from '../../access.ts';
import type { Tx } from '../../platform/database/database.ts';
import type { Deps } from '../../platform/deps.ts';
import { AppError, notFound } from '../../platform/errors.ts';
import { lockUsage } from '../accounts/accounts.counts.service.ts';
import { offersModel } from '../agents/agents.service.ts';
import { getSession } from '../sessions/sessions.service.ts';
import { retitle } from './engine/after-answer.service.ts';
import { findWithout } from './engine/context.queries.ts';
import {
  dropSummary,
  findFirst,
  findPlace,
  hasExchangeSince,
  hidePlace,
  isAnswering,
  layPathThrough,
  lockHiddenPlace,
  removeTask,
  showPlace,
} from './places.queries.ts';
import type { TaskKey } from './places.table.ts';
import { getTask, messageOf } from './runs.service.ts';
import { type DepsWithRunner, STILL_RUNNING, startTask } from './runs.start.service.ts';

/** A task as its address names it. */
export interface TaskAt {
  sessionId: string;
  taskId: string;
}

const MODEL_GONE = 'This model is not offered here any more. Choose another one.';

/** Sends other words in place of a message; what was there stays beside it, as a sibling. Counts like any message. */
export async function editTask(
  ctx: DepsWithRunner,
  caller: Caller,
  at: TaskAt,
  input: { inputText: string; idempotencyKey?: string | undefined },
): Promise<Task> {
  const task = await getTask(ctx, caller, at.sessionId, at.taskId);
  const { agent } = await getSession(ctx.db, caller.uid, at.sessionId);
  return startTask(ctx, caller, { ...messageOf(task, agent), ...input, again: task.id });
}

/** Has a message answered once more, by another model if named (400 if not offered). The earlier answer stays; counts like any message. */
export async function regenerateTask(
  ctx: DepsWithRunner,
  caller: Caller,
  at: TaskAt,
  input: { model?: string | undefined; idempotencyKey?: string | undefined },
): Promise<Task> {
  const task = await getTask(ctx, caller, at.sessionId, at.taskId);
  const { agent } = await getSession(ctx.db, caller.uid, at.sessionId);
  const { model } = input;
  // One that the operator has taken away is refused later, unless the same request was accepted before.
  const isKnown = model === undefined || model === agent.model || ctx.models.isExcluded(model);
  if (!isKnown && !offersModel(ctx, model)) {
    throw new AppError('invalid_input', MODEL_GONE, { field: 'model' });
  }
  const without = await findWithout(ctx.db, caller.uid, task.id);
  return startTask(ctx, caller, { ...messageOf(task, agent), ...input, again: task.id, without });
}

/** Leads the session's path through a task, to where its branch ended when it was left. 409 while the session answers. */
export async function chooseTask(ctx: Deps, caller: Caller, { sessionId, taskId }: TaskAt): Promise<Task> {
  const task = await getTask(ctx, caller, sessionId, taskId);
  const key = { userId: caller.uid, sessionId, taskId: task.id };
  await changePath(ctx, key, async (tx) => {
    const place = await findPlace(tx, key, 'living');
    if (place === undefined) throw notFound('This message');
    if (place.onPath) return false;
    if (await isAnswering(tx, caller.uid, sessionId)) throw new AppError('conflict', STILL_RUNNING);
    return layPathThrough(tx, key);
  });
  return getTask(ctx, caller, sessionId, taskId);
}

/** Changes a session's path under the lock that starts and ends of runs take too, and tells all pages and the session's name of it. */
async function changePath(ctx: Deps, key: Omit<TaskKey, 'taskId'>, change: (tx: Tx) => Promise<boolean>) {
  const { userId, sessionId } = key;
  await ctx.db.transaction(async (tx) => {
    await lockUsage(tx, userId);
    const before = await findFirst(tx, userId, sessionId, 'any');
    if (!(await change(tx))) return;
    await ctx.live.notify(tx, userId, 'tasks', sessionId);
    await ctx.live.notify(tx, userId, 'facts', userId);
    if (before !== (await findFirst(tx, userId, sessionId, 'any'))) await retitle(ctx, tx, { userId, sessionId });
  });
}

/**
 * Hides one exchange with its question and answer; what followed it follows the one before it. The last one of a branch gives way to the
 * branch beside it. `hidden` runs in the same transaction. 409 while the session answers, unless nobody carries its runs on; 404 when it
 * was deleted already.
 */
export async function hideTask(
  ctx: Deps,
  key: TaskKey,
  hidden: (tx: Tx) => Promise<void>,
  whileAnswering = false,
): Promise<void> {
  await changePath(ctx, key, async (tx) => {
    const place = await findPlace(tx, key, 'living');
    if (place === undefined) throw notFound('This message');
    const mustWait = !whileAnswering && (await isAnswering(tx, key.userId, key.sessionId));
    if (mustWait) throw new AppError('conflict', STILL_RUNNING);
    const goesOn = await hidePlace(tx, place);
    if (place.onPath) await dropSummary(tx, place);
    if (place.onPath && !goesOn) await layPathThrough(tx, { ...key, taskId: place.parentId });
    await hidden(tx);
    return true;
  });
}

/** Undoes a delete; the path leads there again unless something was said since. 404 once it is gone for good. */
export async function restoreTask(ctx: Deps, caller: Caller, { sessionId, taskId }: TaskAt): Promise<Task> {
  const session = await getSession(ctx.db, caller.uid, sessionId);
  if (!isUuid(taskId)) throw notFound('This message');
  const key = { userId: caller.uid, sessionId: session.id, taskId };
  await changePath(ctx, key, async (tx) => {
    const place = await findPlace(tx, key, 'deleted');
    if (!place?.deletedAt) throw notFound('This message');
    if (await showPlace(tx, place)) await dropSummary(tx, place);
    else if (!(await hasExchangeSince(tx, key.userId, key.sessionId, place.deletedAt))) await layPathThrough(tx, key);
    return true;
  });
  return getTask(ctx, caller, sessionId, taskId);
}

/** Locks an exchange that is still hidden, and its account's usage; false when it was restored or hidden again since. */
export async function lockHiddenTask(tx: Tx, key: TaskKey, seconds: number): Promise<boolean> {
  // Usage first, as every transaction that changes exchanges.
  await lockUsage(tx, key.userId);
  return lockHiddenPlace(tx, key, seconds);
}

/** Removes an exchange with its place and whatever its tools answered; returns the ids of its attachments. */
export const removeHiddenTask = removeTask;
