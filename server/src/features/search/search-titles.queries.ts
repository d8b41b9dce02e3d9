import { and, desc, eq, inArray, isNull, sql } from 'drizzle-orm';
import type { Db } from '../../platform/database/database.ts';
import { agents } from '../agents/agents.table.ts';
import { sessions } from '../sessions/sessions.table.ts';

/** How many of the latest sessions are compared by meaning. */
const SESSIONS = 100;
const AGENTS = 50;
/** An agent is compared by its name, its description and this much of its prompt. */
const PROMPT = 500;

/** The names of the user's latest sessions. */
export const findSessionNames = (db: Db, uid: string) =>
  db
    .select({ id: sessions.id, text: sessions.name })
    .from(sessions)
    .where(and(eq(sessions.userId, uid), isNull(sessions.deletedAt)))
    .orderBy(desc(sessions.createdAt), desc(sessions.id))
    .limit(SESSIONS);

const described = sql<string>`concat_ws('. ', ${agents.name}, nullif(${agents.description}, ''),
  left(${agents.prompt}, ${sql.raw(String(PROMPT))}))`;

/** Descriptions of the user's latest agents. */
export const findAgentDescriptions = (db: Db, uid: string) =>
  db
    .select({ id: agents.id, text: described })
    .from(agents)
    .where(and(eq(agents.userId, uid), isNull(agents.deletedAt)))
    .orderBy(desc(agents.createdAt), desc(agents.id))
    .limit(AGENTS);

/** The user's agents among these ids. */
export const findAgentsById = (db: Db, uid: string, ids: string[]) =>
  db
    .select({ key: agents.id, id: agents.slug, name: agents.name, passage: sql<string>`left(${agents.prompt}, 200)` })
    .from(agents)
    .where(and(eq(agents.userId, uid), isNull(agents.deletedAt), inArray(agents.id, ids)));
