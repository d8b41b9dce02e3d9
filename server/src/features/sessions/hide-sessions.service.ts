import { and, isNull, lt, ne, sql } from 'drizzle-orm';
import type { Caller } from '../../access.ts';
import { LEAVING } from '../../platform/database/columns.ts';
import type { Db, Tx } from '../../platform/database/database.ts';
import type { Deps } from '../../platform/deps.ts';
import { notFound } from '../../platform/errors.ts';
import { changeUsage, lockUsage } from '../accounts/accounts.counts.service.ts';
import { requireRoom } from './create-session.service.ts';
import {
  areSessions,
  findSessions,
  isSession,
  notifyList,
  type SessionKey,
  type SessionWithAgent,
} from './sessions.service.ts';
import { sessions } from './sessions.table.ts';

/** Hides those of the sessions that aren't hidden yet, subtracts them from the count, and returns their ids. */
export async function hideSessions(ctx: Deps, tx: Tx, uid: string, ids: string[]): Promise<string[]> {
  await lockUsage(tx, uid);
  const hidden = await tx
    .update(sessions)
    .set({ deletedAt: sql`now()` })
    .where(and(areSessions(uid, ids), isNull(sessions.deletedAt)))
    .returning({ id: sessions.id });
  if (hidden.length === 0) return [];
  await changeUsage(tx, uid, { sessions: -hidden.length });
  await notifyList(ctx, tx, uid, ids);
  return hidden.map((row) => row.id);
}

/**
 * Undoes deletes and returns the sessions; 402 when they no longer fit the free limit, then none comes back; 404 once all are gone for good.
 */
export async function restoreSessions(ctx: Deps, caller: Caller, ids: string[]): Promise<SessionWithAgent[]> {
  return ctx.db.transaction(async (tx) => {
    const usage = await lockUsage(tx, caller.uid);
    const back = await tx
      .update(sessions)
      .set({ deletedAt: null })
      .where(and(areSessions(caller.uid, ids), ne(sessions.deletedAt, LEAVING)))
      .returning({ id: sessions.id });
    if (back.length === 0) throw notFound('This session');
    requireRoom(usage, back.length);
    await changeUsage(tx, caller.uid, { sessions: back.length });
    await notifyList(ctx, tx, caller.uid, ids);
    const restored = back.map(({ id }) => id);
    return findSessions(tx, caller.uid, restored);
  });
}

/** Begins to remove a session hidden at least this many seconds ago; false when it is gone, restored, or was hidden again since. */
export async function beginRemoval(db: Db, key: SessionKey, seconds: number): Promise<boolean> {
  const rows = await db
    .update(sessions)
    .set({ deletedAt: LEAVING })
    .where(and(isSession(key), lt(sessions.deletedAt, sql`now() - make_interval(secs => ${seconds})`)))
    .returning({ id: sessions.id });
  return rows.length > 0;
}

/** Removes the session's row; its exchanges are removed before. */
export async function removeSession(db: Db, key: SessionKey): Promise<void> {
  await db.delete(sessions).where(isSession(key));
}
