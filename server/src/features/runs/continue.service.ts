import { setImmediate } from 'node:timers/promises';
import { isInFlight } from '@atelier/contract/runs';
import { and, eq, inArray, sql } from 'drizzle-orm';
import { v7 as uuidv7 } from 'uuid';
import { type Caller, owned } from '../../access.ts';
import type { Tx } from '../../platform/database/database.ts';
import type { Deps } from '../../platform/deps.ts';
import { AppError } from '../../platform/errors.ts';
import { startCopy } from '../sessions/create-session.service.ts';
import { restoreSessions } from '../sessions/hide-sessions.service.ts';
import { getSession, type SessionWithAgent } from '../sessions/sessions.service.ts';
import type { TaskAt } from './branches.service.ts';
import { findWayTo, noteCopies } from './places.queries.ts';
import { getTask } from './runs.service.ts';
import { AGENT_DELETED, STILL_RUNNING } from './runs.start.service.ts';
import { tasks, toolMedia } from './runs.table.ts';

/** Exchanges in one transaction: everyone waits for it on the embedded database. */
const PORTION = 50;

/**
 * Opens a new session that begins with copies of a task and all before it. The copies cost nothing and are not remembered again: what was
 * said in them is remembered once, where it was said. 402 when the account has no session left; until all is copied, the session is hidden.
 */
export async function continueInNewSession(ctx: Deps, caller: Caller, at: TaskAt): Promise<SessionWithAgent> {
  const task = await getTask(ctx, caller, at.sessionId, at.taskId);
  const session = await getSession(ctx.db, caller.uid, at.sessionId);
  if (session.agent.deletedAt !== null) throw new AppError('conflict', AGENT_DELETED);
  if (isInFlight(task.status)) throw new AppError('conflict', STILL_RUNNING);
  const way = await findWayTo(ctx.db, { userId: caller.uid, sessionId: session.id, taskId: task.id });
  const copyId = await startCopy(ctx, caller, session);
  for (let from = 0; from < way.length; from += PORTION) {
    const portion = way.slice(from, from + PORTION);
    await ctx.db.transaction((tx) => copyTasks(tx, caller.uid, portion, copyId));
    // The embedded database never yields the thread by itself; others wait for it too.
    await setImmediate();
  }
  const [copy] = await restoreSessions(ctx, caller, [copyId]);
  return owned(caller.uid, copy, 'This session');
}

async function copyTasks(tx: Tx, userId: string, ids: string[], sessionId: string): Promise<void> {
  const copies = new Map(ids.map((id) => [id, uuidv7()] as const));
  const own = and(eq(tasks.userId, userId), inArray(tasks.id, ids));
  const rows = await tx.select().from(tasks).where(own).orderBy(tasks.createdAt, tasks.id);
  if (rows.length === 0) return;
  await tx.insert(tasks).values(
    rows.map((row) => ({
      ...row,
      id: copies.get(row.id) ?? uuidv7(),
      sessionId,
      // It was paid for where it was answered.
      tokenUsage: null,
      retryOf: null,
      idempotencyKey: null,
      bodyHash: null,
    })),
  );
  await noteCopies(tx, userId, [...copies]);
  const [from, to] = [sql.param([...copies.keys()].join(',')), sql.param([...copies.values()].join(','))];
  await tx.execute(sql`insert into ${toolMedia} (user_id, task_id, id, type, name, bytes, created_at)
    select m.user_id, x.made, m.id, m.type, m.name, m.bytes, m.created_at
    from unnest(string_to_array(${from}, ',')::uuid[], string_to_array(${to}, ',')::uuid[]) as x(source, made)
      join tool_media m on m.user_id = ${userId} and m.task_id = x.source`);
}
