import { and, eq, getTableColumns, isNull, sql } from 'drizzle-orm';
import type { Db } from '../../platform/database/database.ts';
import { prepareOnce } from '../../platform/database/prepared.ts';
import { agents } from '../agents/agents.table.ts';
import { tasks } from '../runs/runs.table.ts';
import { sessions } from '../sessions/sessions.table.ts';
import { namedSessions } from './endpoints.table.ts';

/** Whose sessions, and with which agent, by its hidden key. */
interface AgentOfUser {
  uid: string;
  agentId: string;
}

const living = ({ uid, agentId }: AgentOfUser) =>
  and(eq(sessions.userId, uid), eq(sessions.agentId, agentId), isNull(sessions.deletedAt));

/** The living session with this id. */
export async function findSessionById(db: Db, place: AgentOfUser, id: string): Promise<string | undefined> {
  const [row] = await db
    .select({ id: sessions.id })
    .from(sessions)
    .where(and(living(place), eq(sessions.id, id)));
  return row?.id;
}

/** The living session that a program knows by this name. */
export async function findSessionByName(db: Db, place: AgentOfUser, name: string): Promise<string | undefined> {
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

/** A living agent by its address, and the living session with it that a program knows by a name: in one statement, because each waits for the last. */
export const agentAndSession = prepareOnce((db) =>
  db
    .select({ agent: getTableColumns(agents), sessionId: sessions.id })
    .from(agents)
    .leftJoin(
      namedSessions,
      and(
        eq(namedSessions.userId, agents.userId),
        eq(namedSessions.agentId, agents.id),
        eq(namedSessions.name, sql.placeholder('name')),
      ),
    )
    .leftJoin(
      sessions,
      and(
        eq(sessions.userId, agents.userId),
        eq(sessions.id, namedSessions.sessionId),
        eq(sessions.agentId, agents.id),
        isNull(sessions.deletedAt),
      ),
    )
    .where(
      and(
        eq(agents.userId, sql.placeholder('uid')),
        eq(agents.slug, sql.placeholder('slug')),
        isNull(agents.deletedAt),
      ),
    )
    .prepare('agent_and_session'),
);

/** The living session of an exchange. */
export async function findSessionOfTask(db: Db, place: AgentOfUser, taskId: string): Promise<string | undefined> {
  const [row] = await db
    .select({ id: sessions.id })
    .from(tasks)
    .innerJoin(sessions, and(eq(sessions.userId, tasks.userId), eq(sessions.id, tasks.sessionId)))
    .where(and(eq(tasks.userId, place.uid), eq(tasks.id, taskId), living(place)));
  return row?.id;
}
