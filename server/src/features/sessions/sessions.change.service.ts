import { SESSION_NAME_MAX, type SessionUpdate } from '@atelier/contract/sessions';
import { and, isNull, type SQL, sql } from 'drizzle-orm';
import type { Caller } from '../../access.ts';
import type { Deps } from '../../platform/deps.ts';
import { AppError, notFound } from '../../platform/errors.ts';
import { lockUsage } from '../accounts/usage.service.ts';
import { lockFolder } from './folders.service.ts';
import { areSessions, findSessions, notifySessions, type SessionWithAgent } from './sessions.service.ts';
import { sessions } from './sessions.table.ts';

/**
 * Renames, pins, archives or moves the caller's sessions, and returns those that are still there; 404 when none is, or the folder isn't.
 * Several renamed at once get the name with a number, in the order of `ids`. A person's own name is never replaced by a generated title.
 */
export async function changeSessions(
  ctx: Deps,
  caller: Caller,
  ids: string[],
  change: SessionUpdate,
): Promise<SessionWithAgent[]> {
  const { name, ...rest } = change;
  const named = name === undefined ? {} : { name: numbered(name, ids), nameSource: 'person' as const };
  return ctx.db.transaction(async (tx) => {
    // One after the other: two calls for several sessions could otherwise wait for each other's rows.
    if (ids.length > 1) await lockUsage(tx, caller.uid);
    if (typeof change.folderId === 'string') await lockFolder(tx, caller.uid, change.folderId);
    const changed = await tx
      .update(sessions)
      .set({ ...rest, ...named })
      .where(and(areSessions(caller.uid, ids), isNull(sessions.deletedAt)))
      .returning({ id: sessions.id });
    if (changed.length === 0) throw notFound('This session');
    await notifySessions(ctx, tx, caller.uid, ids);
    return findSessions(
      tx,
      caller.uid,
      changed.map((row) => row.id),
    );
  });
}

/** The name; for several sessions with a number behind it. */
function numbered(name: string, ids: string[]): string | SQL {
  const order = [...new Set(ids)];
  if (order.length === 1) return name;
  const room = SESSION_NAME_MAX - ` ${order.length}`.length;
  if (name.length > room) {
    const sentence = `A number is added to each name, so it can have at most ${room} characters.`;
    throw new AppError('invalid_input', sentence, { field: 'name' });
  }
  return sql`${name}::text || ' ' || array_position(${`{${order.join(',')}}`}::uuid[], ${sessions.id})`;
}
