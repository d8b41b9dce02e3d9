import { and, eq, sql } from 'drizzle-orm';
import { z } from 'zod';
import type { Db, Tx } from '../../platform/database/database.ts';
import { someOf } from '../../platform/database/portions.ts';
import type { SessionKey } from '../sessions/sessions.service.ts';
import { tasks } from './runs.table.ts';

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
