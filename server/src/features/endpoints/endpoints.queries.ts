import { and, eq, isNull } from 'drizzle-orm';
import type { Db } from '../../platform/database/database.ts';
import { tasks } from '../runs/runs.table.ts';
import { sessions } from '../sessions/sessions.table.ts';
import { namedSessions } from './endpoints.table.ts';

/** Whose sessions, and with which agent, by its hidden key. */
export interface Place {
  uid: string;
  agentId: string;
}

const living = ({ uid, agentId }: Place) =>
  and(eq(sessions.userId, uid), eq(sessions.agentId, agentId), isNull(sessions.deletedAt));

/** The living session with this id. */
export async function findSessionById(db: Db, place: Place, id: string): Promise<string | undefined> {
  const [row] = await db
    .select({ id: sessions.id })
    .from(sessions)
    .where(and(living(place), eq(sessions.id, id)));
  return row?.id;
}

/** The living session that a program knows by this name. */
export async function findSessionByName(db: Db, place: Place, name: string): Promise<string | undefined> {
  const [row] = await db
    .select({ id: sessions.id })
    .from(namedSessions)
    .innerJoin(sessions, and(eq(sessions.userId, namedSessions.userId), eq(sessions.id, namedSessions.sessionId)))
    .where(
      and(
        eq(namedSessions.userId, place.uid),
        eq(namedSessions.agentId, place.agentId),
        eq(namedSessions.name, name),
        living(place),
      ),
    );
  return row?.id;
}

/** The living session of an exchange. */
export async function findSessionOfTask(db: Db, place: Place, taskId: string): Promise<string | undefined> {
  const [row] = await db
    .select({ id: sessions.id })
    .from(tasks)
    .innerJoin(sessions, and(eq(sessions.userId, tasks.userId), eq(sessions.id, tasks.sessionId)))
    .where(and(eq(tasks.userId, place.uid), eq(tasks.id, taskId), living(place)));
  return row?.id;
}
