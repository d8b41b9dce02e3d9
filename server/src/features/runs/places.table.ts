import { type SQL, type SQLWrapper, sql } from 'drizzle-orm';
import { boolean, foreignKey, index, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import { instant } from '../../platform/database/columns.ts';
import { sqlFunction } from '../../platform/database/sql-function.ts';
import { tasks } from './runs.table.ts';

/**
 * Where each exchange stands in its session's tree, and whether it is on the chosen path. A trigger gives every new exchange its place, at
 * the end of the path. A table of its own, because choosing another path changes many rows, and those of `tasks` are wide.
 */
export const taskPlaces = pgTable(
  'task_places',
  {
    userId: text('user_id').notNull(),
    taskId: uuid('task_id').notNull(),
    sessionId: uuid('session_id').notNull(),
    /** The exchange before it; the session's own id for a first one. */
    parentId: uuid('parent_id').notNull(),
    onPath: boolean('on_path').notNull(),
    /** When it came on the path: of several that follow one exchange, the last one chosen is shown when the person comes back. */
    chosenAt: instant('chosen_at').notNull(),
    /** The exchange's own, which is also the order of a path. */
    createdAt: instant('created_at').notNull(),
    /** The first of its copies, if it was copied into a session of its own: that one's memories are this one's. */
    originId: uuid('origin_id'),
    /** Set by delete; the exchange is removed some seconds later unless restored. */
    deletedAt: instant('deleted_at'),
    /** What followed a deleted exchange, also with other deleted ones between, and follows the one before it since. */
    followers: uuid('followers').array().notNull().default([]),
  },
  (t) => [
    primaryKey({ columns: [t.userId, t.taskId] }),
    foreignKey({ columns: [t.userId, t.taskId], foreignColumns: [tasks.userId, tasks.id] }).onDelete('cascade'),
    index('task_places_path').on(t.userId, t.sessionId, t.onPath, t.createdAt, t.taskId),
    index('task_places_siblings').on(t.userId, t.parentId, t.createdAt, t.taskId),
    index('task_places_copies').on(t.userId, t.originId).where(sql`${t.originId} is not null`),
  ],
);

/** An exchange in a session of its owner. */
export interface TaskKey {
  userId: string;
  sessionId: string;
  taskId: string;
}

const atelierPathState = sqlFunction(
  'atelier_path_state',
  { userId: text('_uid').notNull(), taskId: uuid('_task').notNull() },
  { counts: boolean().notNull() },
);

/** Whether what was said in an exchange counts: it is on a chosen path, or is gone. */
export const isOnPath = (userId: SQLWrapper, taskId: SQLWrapper): SQL<boolean> =>
  sql<boolean>`(select s.counts from ${atelierPathState.call({ userId, taskId })} s)`;
