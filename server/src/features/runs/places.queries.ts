import { and, arrayContains, asc, eq, inArray, isNotNull, isNull, lt, sql } from 'drizzle-orm';
import { boolean, text, uuid } from 'drizzle-orm/pg-core';
import { z } from 'zod';
import type { Db, Tx } from '../../platform/database/database.ts';
import { listOf } from '../../platform/database/prepared.ts';
import { sqlFunction } from '../../platform/database/sql-function.ts';
import { type TaskKey, taskPlaces } from './places.table.ts';
import { inFlightOf } from './runs.queries.ts';
import { tasks } from './runs.table.ts';

type PlaceRow = typeof taskPlaces.$inferSelect;

/** By the exchange, then the session: with `=`, a planner without statistics may read all of the session to find the exchange. */
const isTask = ({ userId, sessionId, taskId }: TaskKey) =>
  and(
    eq(taskPlaces.userId, userId),
    eq(taskPlaces.taskId, taskId),
    sql`${taskPlaces.sessionId} is not distinct from ${sessionId}::uuid`,
  );

/** The place of an exchange that is not deleted, or of one that is. */
export async function findPlace(db: Db, key: TaskKey, state: 'living' | 'deleted'): Promise<PlaceRow | undefined> {
  const { deletedAt } = taskPlaces;
  const [row] = await db
    .select()
    .from(taskPlaces)
    .where(and(isTask(key), state === 'living' ? isNull(deletedAt) : isNotNull(deletedAt)));
  return row;
}

/** Whether the session is writing an answer. */
export async function isAnswering(tx: Tx, uid: string, sessionId: string): Promise<boolean> {
  const rows = await tx
    .select({ id: tasks.id })
    .from(tasks)
    .where(and(inFlightOf(uid), eq(tasks.sessionId, sessionId)))
    .limit(1);
  return rows.length > 0;
}

const atelierEndOfBranch = sqlFunction(
  'atelier_end_of_branch',
  { userId: text('_uid').notNull(), from: uuid('_from').notNull() },
  uuid(),
);
const atelierLayPath = sqlFunction(
  'atelier_lay_path',
  { userId: text('_uid').notNull(), sessionId: uuid('_session').notNull(), tip: uuid('_tip').notNull() },
  boolean(),
);
const laid = z.object({ rows: z.array(z.object({ changed: z.boolean() })) });

/** Leads the session's path through an exchange (or from the session itself), to where its branch ended when it was left. */
export async function layPathThrough(tx: Tx, { userId, sessionId, taskId }: TaskKey): Promise<boolean> {
  const tip = atelierEndOfBranch.call({ userId, from: taskId });
  const result = await tx.execute(sql`select ${atelierLayPath.call({ userId, sessionId, tip })} as changed`);
  return laid.parse(result).rows[0]?.changed === true;
}

const onPathOf = (userId: string, sessionId: string) =>
  and(eq(taskPlaces.userId, userId), eq(taskPlaces.sessionId, sessionId), eq(taskPlaces.onPath, true));

/** The first exchange on the session's path: answered, or any. */
export async function findFirst(db: Db, userId: string, sessionId: string, which: 'answered' | 'any') {
  const [row] = await db
    .select({ id: tasks.id })
    .from(taskPlaces)
    .innerJoin(tasks, and(eq(tasks.userId, taskPlaces.userId), eq(tasks.id, taskPlaces.taskId)))
    .where(and(onPathOf(userId, sessionId), which === 'any' ? undefined : eq(tasks.status, 'done')))
    .orderBy(asc(taskPlaces.createdAt), asc(taskPlaces.taskId))
    .limit(1);
  return row?.id;
}

/** Hides an exchange; what followed it follows the one before it from now on. True when the path went on after it. */
export async function hidePlace(tx: Tx, place: PlaceRow): Promise<boolean> {
  const { userId, taskId, parentId } = place;
  const followers = await tx
    .update(taskPlaces)
    .set({ parentId })
    .where(and(eq(taskPlaces.userId, userId), eq(taskPlaces.parentId, taskId)))
    .returning({ id: taskPlaces.taskId, onPath: taskPlaces.onPath });
  const ids = listOf(followers.map(({ id }) => id));
  // Hidden ones that it follows come back before these too, whichever comes back first.
  await tx
    .update(taskPlaces)
    .set({
      followers: sql`array(select unnest(${taskPlaces.followers}) union select unnest(${ids}::uuid[]))`,
    })
    .where(
      and(
        eq(taskPlaces.userId, userId),
        eq(taskPlaces.sessionId, place.sessionId),
        // None of them is on the path: the index finds few.
        eq(taskPlaces.onPath, false),
        isNotNull(taskPlaces.deletedAt),
        arrayContains(taskPlaces.followers, [taskId]),
      ),
    );
  await tx
    .update(taskPlaces)
    .set({ onPath: false, deletedAt: sql`now()`, followers: sql`${ids}::uuid[]` })
    .where(isTask(place));
  return followers.some(({ onPath }) => onPath);
}

/** Shows a hidden exchange again, before what followed it. True when that put it on the path. */
export async function showPlace(tx: Tx, place: PlaceRow): Promise<boolean> {
  const { userId, taskId, parentId, followers } = place;
  const back =
    followers.length === 0
      ? []
      : await tx
          .update(taskPlaces)
          .set({ parentId: taskId })
          .where(
            and(
              eq(taskPlaces.userId, userId),
              inArray(taskPlaces.taskId, followers),
              eq(taskPlaces.parentId, parentId),
            ),
          )
          .returning({ onPath: taskPlaces.onPath });
  const onPath = back.some((follower) => follower.onPath);
  const chosen = onPath ? { chosenAt: sql`now()` } : {};
  await tx
    .update(taskPlaces)
    .set({ onPath, deletedAt: null, followers: [], ...chosen })
    .where(isTask(place));
  return onPath;
}

/** Whether something was said on the session's path since an instant. */
export async function hasExchangeSince(tx: Tx, userId: string, sessionId: string, since: Date): Promise<boolean> {
  const rows = await tx
    .select({ id: taskPlaces.taskId })
    .from(taskPlaces)
    .where(and(onPathOf(userId, sessionId), sql`${taskPlaces.createdAt} > ${since.toISOString()}::timestamptz`))
    .limit(1);
  return rows.length > 0;
}

/** Removes the summary of a session if it covers an instant. */
export async function dropSummary(tx: Tx, { userId, sessionId, createdAt }: PlaceRow): Promise<void> {
  await tx.execute(sql`delete from session_summaries
    where user_id = ${userId} and session_id = ${sessionId} and until >= ${createdAt.toISOString()}::timestamptz`);
}

/** Locks an exchange hidden at least this many seconds ago; false when it is gone, restored, or was hidden again since. */
export async function lockHiddenPlace(tx: Tx, key: TaskKey, seconds: number): Promise<boolean> {
  const long = lt(taskPlaces.deletedAt, sql`now() - make_interval(secs => ${seconds})`);
  const rows = await tx
    .select({ id: taskPlaces.taskId })
    .from(taskPlaces)
    .where(and(isTask(key), long))
    .for('update');
  return rows.length > 0;
}

/** Removes an exchange's row, with its place and whatever its tools answered. */
export async function removeTask(tx: Tx, { userId, taskId }: TaskKey): Promise<string[]> {
  const own = and(eq(tasks.userId, userId), eq(tasks.id, taskId));
  const gone = await tx.delete(tasks).where(own).returning({ attachments: tasks.attachments });
  return gone.flatMap(({ attachments }) => attachments.map(({ id }) => id));
}

const chain = z.object({ rows: z.array(z.object({ task_id: z.string() })) });

/** The exchanges from the start of a session to one of them, on the path or not, in order. */
export async function findWayTo(db: Db, { userId, sessionId, taskId }: TaskKey): Promise<string[]> {
  const result = await db.execute(sql`
    with recursive up as (
      select p.task_id, p.parent_id, p.created_at from task_places p
        where p.user_id = ${userId} and p.task_id = ${taskId} and p.session_id is not distinct from ${sessionId}::uuid and p.deleted_at is null
      union all
      select b.* from up cross join lateral (
        select p.task_id, p.parent_id, p.created_at from task_places p
        where p.user_id = ${userId} and p.task_id = up.parent_id limit 1) b
    ) select task_id from up order by created_at, task_id`);
  return chain.parse(result).rows.map((row) => row.task_id);
}

/** Notes of which exchanges these are copies; `copies` has the copied one and its copy. */
export async function noteCopies(tx: Tx, userId: string, copies: readonly (readonly [string, string])[]) {
  const [sources, made] = [listOf(copies.map(([from]) => from)), listOf(copies.map(([, to]) => to))];
  // One row at a time: without statistics, a planner would rather read all of the owner's places.
  await tx.execute(sql`update task_places c set origin_id = coalesce(s.origin_id, s.task_id)
    from unnest(${sources}::uuid[], ${made}::uuid[]) as x(source, made)
      cross join lateral (select * from task_places s where s.user_id = ${userId} and s.task_id = x.source limit 1) s
    where c.user_id = ${userId} and c.task_id = any(${made}::uuid[]) and c.task_id = x.made`);
}
