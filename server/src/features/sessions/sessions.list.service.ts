import type { SessionsQuery } from '@atelier/contract/sessions';
import { and, desc, eq, isNull, type SQL, sql } from 'drizzle-orm';
import type { Caller } from '../../access.ts';
import type { Deps } from '../../platform/deps.ts';
import { decodeCursor, encodeCursor } from '../../platform/http/cursor.ts';
import { ofAgent, withAgent } from './sessions.queries.ts';
import type { SessionWithAgent } from './sessions.service.ts';
import { type SessionRow, sessions } from './sessions.table.ts';

/** A page of the caller's sessions that pass the filters: pinned ones first, each part newest first. */
export async function listSessions(ctx: Deps, caller: Caller, query: SessionsQuery) {
  const found = await withAgent(ctx.db)
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
  const rows: SessionWithAgent[] = found.slice(0, query.limit).map(({ session, agent }) => ({ ...session, agent }));
  const last = rows.at(-1);
  return { rows, nextCursor: found.length > query.limit && last !== undefined ? cursorOf(last) : null };
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
