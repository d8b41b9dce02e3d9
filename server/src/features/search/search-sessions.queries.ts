import { and, desc, eq, inArray, isNull } from 'drizzle-orm';
import type { Db } from '../../platform/database/database.ts';
import { agents } from '../agents/agents.table.ts';
import { sessions } from '../sessions/sessions.table.ts';
import { findOwn, type Own, type Search } from './search.queries.ts';

const OWN_SESSIONS: Own = { table: sessions, at: sessions.createdAt, living: isNull(sessions.deletedAt) };

/** The user's sessions by name, latest first. */
export const findSessions = async (db: Db, search: Search) =>
  findSessionsById(db, search.uid, await findOwn(db, search, OWN_SESSIONS, search.limit));

/** The user's sessions among these ids, latest first. */
export async function findSessionsById(db: Db, uid: string, ids: readonly string[]) {
  if (ids.length === 0) return [];
  return db
    .select({ id: sessions.id, name: sessions.name, agentName: agents.name, createdAt: sessions.createdAt })
    .from(sessions)
    .innerJoin(agents, and(eq(agents.userId, sessions.userId), eq(agents.id, sessions.agentId)))
    .where(and(eq(sessions.userId, uid), isNull(sessions.deletedAt), inArray(sessions.id, [...ids])))
    .orderBy(desc(sessions.createdAt));
}
