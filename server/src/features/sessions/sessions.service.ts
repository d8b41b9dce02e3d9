import {
  defaultSessionName,
  SESSION_NAME_MAX,
  type Session,
  type SessionsQuery,
  type SessionUpdate,
} from '@atelier/contract/sessions';
import { and, desc, eq, inArray, isNull, ne, type SQL, sql } from 'drizzle-orm';
import { validate as isUuid } from 'uuid';
import { type Authorized, type Caller, owned } from '../../access.ts';
import type { Db, Tx } from '../../platform/database/database.ts';
import type { Deps } from '../../platform/deps.ts';
import { AppError, notFound } from '../../platform/errors.ts';
import { decodeCursor, encodeCursor } from '../../platform/http/cursor.ts';
import { lockUsage } from '../accounts/accounts.counts.service.ts';
import type { AgentRow } from '../agents/agents.table.ts';
import { lockFolder } from './folders.service.ts';
import { ofAgent, withAgent } from './sessions.queries.ts';
import { type SessionRow, sessions } from './sessions.table.ts';

/** A session's keys, as jobs store them. */
export interface SessionKey {
  userId: string;
  sessionId: string;
}

/** The queue that removes a hidden session for good. */
export const PURGE_QUEUE = 'sessions.purge';

export type SessionWithAgent = SessionRow & { agent: AgentRow };

export function toSession({ agent, id, name, pinned, archived, folderId, createdAt }: SessionWithAgent): Session {
  const ofAgent = { agentId: agent.slug, agentName: agent.name, agentDeleted: agent.deletedAt !== null };
  return { id, name, createdAt: createdAt.toISOString(), ...ofAgent, pinned, archived, folderId };
}

/** The caller's session with its agent; 404 when it is not theirs, deleted or missing. */
export async function getSession(db: Db, uid: string, id: string): Promise<Authorized<SessionWithAgent>> {
  const [session] = isUuid(id) ? await findSessions(db, uid, [id]) : [];
  return owned(uid, session, 'This session');
}

/** Those of a person's sessions that are not deleted, newest first, each with its agent. */
export async function findSessions(db: Db, uid: string, ids: string[]): Promise<SessionWithAgent[]> {
  const rows = await withAgent(db)
    .where(and(areSessions(uid, ids), isNull(sessions.deletedAt)))
    .orderBy(desc(sessions.createdAt), desc(sessions.id));
  return rows.map(({ session, agent }) => ({ ...session, agent }));
}

/** Tells every open tab that these sessions changed, and how many there are. */
export async function notifyList(ctx: Deps, tx: Tx, uid: string, ids: string[]) {
  await notifySessions(ctx, tx, uid, ids);
  await ctx.live.notify(tx, uid, 'account', uid);
}

/** Tells every open tab that these sessions changed, in one notice. */
const notifySessions = (ctx: Deps, tx: Tx, uid: string, ids: string[]): Promise<void> =>
  ctx.live.notify(tx, uid, 'sessions', ids.length === 1 ? (ids[0] ?? '') : '');

/** The rows of these sessions of one person. */
export const areSessions = (uid: string, ids: string[]) => and(eq(sessions.userId, uid), inArray(sessions.id, ids));

export const isSession = ({ userId, sessionId }: SessionKey) =>
  and(eq(sessions.userId, userId), eq(sessions.id, sessionId));

/** A page of the caller's sessions that pass the filters: pinned ones first, each part newest first. */
export async function listSessions(ctx: Deps, caller: Caller, query: SessionsQuery) {
  const joined = await withAgent(ctx.db)
    .where(
      and(
        eq(sessions.userId, caller.uid),
        isNull(sessions.deletedAt),
        isArchived(query),
        query.sessionId === undefined ? undefined : eq(sessions.id, query.sessionId),
        inFolder(query.folderId),
        query.agentId === undefined ? undefined : ofAgent(query.agentId),
        after(query.cursor),
      ),
    )
    .orderBy(desc(sessions.pinned), desc(sessions.createdAt), desc(sessions.id))
    .limit(query.limit + 1);
  const rows: SessionWithAgent[] = joined.slice(0, query.limit).map(({ session, agent }) => ({ ...session, agent }));
  const last = rows.at(-1);
  return { rows, nextCursor: joined.length > query.limit && last !== undefined ? cursorOf(last) : null };
}

function isArchived({ archived, sessionId }: SessionsQuery): SQL | undefined {
  if (archived === undefined && sessionId !== undefined) return undefined;
  return eq(sessions.archived, archived === 'true');
}

function inFolder(folderId: string | undefined): SQL | undefined {
  if (folderId === undefined) return undefined;
  return folderId === 'none' ? isNull(sessions.folderId) : eq(sessions.folderId, folderId);
}

/** Marks the cursor of a pinned session; without it, a cursor is a place among the others. */
const PINNED = 'pinned.';

const cursorOf = (row: SessionRow) => (row.pinned ? PINNED : '') + encodeCursor({ at: row.createdAt, id: row.id });

/** What is behind a cursor, compared as one row value, so that the index begins there. */
function after(cursor: string | undefined): SQL | undefined {
  const pinned = cursor?.startsWith(PINNED) ?? false;
  const place = decodeCursor(pinned ? cursor?.slice(PINNED.length) : cursor);
  if (place === undefined) return undefined;
  const at = sql.param(place.at, sessions.createdAt);
  return sql`(${sessions.pinned}, ${sessions.createdAt}, ${sessions.id}) < (${pinned}, ${at}, ${place.id})`;
}

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
    const left = changed.map(({ id }) => id);
    return findSessions(tx, caller.uid, left);
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

/** Names the session after its first exchange, unless the person has named it. */
export async function titleSession(ctx: Deps, input: { userId: string; sessionId: string; title: string }) {
  await ctx.db.transaction(async (tx) => {
    const named = await tx
      .update(sessions)
      .set({ name: input.title, nameSource: 'title' })
      .where(
        and(eq(sessions.userId, input.userId), eq(sessions.id, input.sessionId), ne(sessions.nameSource, 'person')),
      )
      .returning({ id: sessions.id });
    if (named.length > 0) await ctx.live.notify(tx, input.userId, 'sessions', input.sessionId);
  });
}

/** Removes a generated name when the messages that it described are gone. */
export async function untitleSession(ctx: Deps, tx: Tx, key: SessionKey): Promise<void> {
  const agentName = sql<string>`(select a.name from agents a where a.user_id = ${sessions.userId} and a.id = ${sessions.agentId})`;
  const [row] = await tx
    .select({ agentName })
    .from(sessions)
    .where(and(isSession(key), eq(sessions.nameSource, 'title')));
  if (row === undefined) return;
  const name = defaultSessionName(row.agentName);
  await tx.update(sessions).set({ name, nameSource: 'default' }).where(isSession(key));
  await ctx.live.notify(tx, key.userId, 'sessions', key.sessionId);
}
