import { isInFlight } from '@atelier/contract/runs';
import { and, asc, desc, eq, gt, inArray, isNull, max, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import type { Db } from '../../platform/database/database.ts';
import { behind } from '../../platform/database/keyset.ts';
import { deleteInPortions } from '../../platform/database/portions.ts';
import type { Position } from '../../platform/http/cursor.ts';
import { agents } from '../agents/agents.table.ts';
import { sessions } from '../sessions/sessions.table.ts';
import { taskPlaces } from './places.table.ts';
import { type RunProgress, type TreePosition, toTask } from './runs.events.ts';
import { inFlight, taskEvents, tasks } from './runs.table.ts';

const retries = alias(tasks, 'retries');

/** The ids that share a parent, oldest first. */
const siblings = sql<string[]>`array(select sib.task_id from task_places sib
  where sib.user_id = ${taskPlaces.userId} and sib.parent_id = ${taskPlaces.parentId} and sib.deleted_at is null
  order by sib.created_at, sib.task_id)`;

/** Exchanges with their place in the tree; deleted ones are not among them. */
const withPlace = (db: Db) =>
  db
    .select({ row: tasks, retriedBy: retries.id, parentId: taskPlaces.parentId, siblings })
    .from(taskPlaces)
    .innerJoin(tasks, and(eq(tasks.userId, taskPlaces.userId), eq(tasks.id, taskPlaces.taskId)))
    .leftJoin(retries, and(eq(retries.userId, tasks.userId), eq(retries.retryOf, tasks.id)));

/** What the event log has of running tasks: their text so far and the last sequence number. */
async function progressOf(db: Db, uid: string, ids: string[]) {
  if (ids.length === 0) return new Map<string, RunProgress>();
  const wordsOf = (type: 'delta' | 'thought') =>
    sql<string>`coalesce(string_agg(${taskEvents.data}->>'text', '' order by ${taskEvents.seq}) filter (where ${taskEvents.type} = ${type}), '')`;
  const wait = sql<string | null>`(array_agg(${taskEvents.data}->>'why' order by ${taskEvents.seq} desc))[1]`;
  const rows = await db
    .select({
      id: taskEvents.taskId,
      text: wordsOf('delta'),
      thoughts: wordsOf('thought'),
      wait,
      seq: max(taskEvents.seq),
    })
    .from(taskEvents)
    .where(and(eq(taskEvents.userId, uid), inArray(taskEvents.taskId, ids)))
    .groupBy(taskEvents.taskId);
  return new Map(rows.map(({ id, seq, ...progress }) => [id, { ...progress, seq: seq ?? 0 }]));
}

type PlacedRow = Awaited<ReturnType<typeof withPlace>>[number];

/** The first exchanges of a session follow the session itself. */
export const placeOf = (sessionId: string, parentId: string, among: string[]): TreePosition => ({
  parentId: parentId === sessionId ? null : parentId,
  siblings: among,
});

async function toTasks(db: Db, uid: string, rows: PlacedRow[]) {
  const running = rows.flatMap(({ row }) => (isInFlight(row.status) ? row.id : []));
  const progress = await progressOf(db, uid, running);
  // A running task is empty, at sequence number 0, until its first event: its columns are written at the end.
  return rows.map(({ row, retriedBy, ...place }) =>
    toTask(row, placeOf(row.sessionId, place.parentId, place.siblings), { progress: progress.get(row.id), retriedBy }),
  );
}

/** Up to `limit` tasks on the chosen path of a session that are older than `before`, newest first. */
export async function findTasks(db: Db, uid: string, sessionId: string, limit: number, before?: Position) {
  const { createdAt, taskId } = taskPlaces;
  const path = and(eq(taskPlaces.userId, uid), eq(taskPlaces.sessionId, sessionId), eq(taskPlaces.onPath, true));
  const rows = await withPlace(db)
    .where(and(path, behind(createdAt, taskId, before)))
    .orderBy(desc(createdAt), desc(taskId))
    .limit(limit);
  return toTasks(db, uid, rows);
}

/** The user's task, with its progress while it runs. */
export async function findTask(db: Db, uid: string, id: string) {
  const rows = await withPlace(db)
    .where(and(eq(taskPlaces.userId, uid), eq(taskPlaces.taskId, id), isNull(taskPlaces.deletedAt)))
    .limit(1);
  return (await toTasks(db, uid, rows))[0];
}

/** The stored events of a task after a sequence number, in order. */
export async function findEvents(db: Db, uid: string, taskId: string, after: number) {
  return db
    .select({ seq: taskEvents.seq, type: taskEvents.type, data: taskEvents.data })
    .from(taskEvents)
    .where(and(eq(taskEvents.userId, uid), eq(taskEvents.taskId, taskId), gt(taskEvents.seq, after)))
    .orderBy(asc(taskEvents.seq));
}

/** A running task's latest sign of life: a different text after each renewal of its lease. */
export const signOf = sql<string>`concat_ws(' ', ${tasks.id}, ${tasks.leaseOwner}, ${tasks.leaseUntil})`;

/** The signs of life of all running tasks, of every process. */
export async function findSigns(db: Db) {
  return db.select({ id: tasks.id, owner: tasks.leaseOwner, sign: signOf }).from(tasks).where(inFlight(tasks.status));
}

/** Deletes the event logs of tasks that ended some minutes ago; followers have the whole task by then. */
export const pruneEvents = (db: Db): Promise<void> =>
  deleteInPortions(
    db,
    taskEvents,
    sql`exists (select from tasks t where t.user_id = task_events.user_id and t.id = task_events.task_id
      and not ${inFlight(sql`t.status`)} and t.finished_at < now() - interval '5 minutes')`,
  );

export const inFlightOf = (uid: string) => and(eq(tasks.userId, uid), inFlight(tasks.status));
export const notYetCancelled = isNull(tasks.cancelRequestedAt);

/** What decides how much an answer in a session may take. */
export async function findAnswering(db: Db, uid: string, sessionId: string) {
  const [agent] = await db
    .select({ model: agents.model, prompt: agents.prompt, tools: agents.tools })
    .from(sessions)
    .innerJoin(agents, and(eq(agents.userId, sessions.userId), eq(agents.id, sessions.agentId)))
    .where(and(eq(sessions.userId, uid), eq(sessions.id, sessionId), isNull(sessions.deletedAt)));
  return agent;
}

/** Whether a message of the account was accepted with this key, or as the retry of this task, as `atelier_accept_run` looks for it. */
export async function wasSent(db: Db, uid: string, key: string | undefined, retryOf?: string): Promise<boolean> {
  const isRecent = gt(tasks.createdAt, sql`now() - interval '24 hours'`);
  const isSame =
    retryOf !== undefined
      ? eq(tasks.retryOf, retryOf)
      : key !== undefined && and(eq(tasks.idempotencyKey, key), isRecent);
  return isSame ? (await db.$count(tasks, and(eq(tasks.userId, uid), isSame))) > 0 : false;
}
