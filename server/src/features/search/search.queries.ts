import { and, desc, eq, inArray, isNull, not, type SQL, sql } from 'drizzle-orm';
import type { Db } from '../../platform/database/database.ts';
import { findInOrder, type OrderedQuery } from '../../platform/database/find-in-order.ts';
import { fitsWords, ofOwner, passageOf, rankOf, type Term } from '../../platform/database/text-search.ts';
import { agents } from '../agents/agents.table.ts';
import { memories } from '../memory/memory.table.ts';
import { isOnPath } from '../runs/places.table.ts';
import { tasks } from '../runs/runs.table.ts';
import { sessions } from '../sessions/sessions.table.ts';

/** How many of the newest matches are ranked: a common word must not make a search slow. */
export const RANKED = 60;

export interface Search {
  uid: string;
  terms: readonly Term[];
  /** Leave out rows that match these terms: they were found already. */
  without?: readonly Term[];
  limit: number;
}

export type Own = Pick<OrderedQuery, 'table' | 'at'> & { living: SQL | undefined; keep?: SQL };

export const isOther = (table: OrderedQuery['table'], { without }: Pick<Search, 'without'>) =>
  without === undefined ? undefined : not(fitsWords(table, without));

/** The ids of the user's newest matching rows. */
export async function findOwn(db: Db, search: Search, { table, at, living, keep }: Own, limit: number) {
  const { uid, terms: words } = search;
  const scope = and(eq(table.userId, uid), living);
  const where = and(keep, isOther(table, search));
  const keys = await findInOrder(db, { table, at, scope, keep: where, words, mark: ofOwner(uid), limit });
  return keys.map(({ id }) => id);
}

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

const onPath = sql`(select p.on_path from task_places p where p.user_id = ${tasks.userId} and p.task_id = ${tasks.id})`;
const OWN_TASKS: Own = { table: tasks, at: tasks.createdAt, living: undefined, keep: onPath };

/** The user's exchanges by question and answer, with the matching passage. */
export async function findExchanges(db: Db, search: Search) {
  const ids = await findOwn(db, search, OWN_TASKS, RANKED);
  if (ids.length === 0) return [];
  const { uid, limit } = search;
  const session = db
    .select({ name: sessions.name, deletedAt: sessions.deletedAt })
    .from(sessions)
    .where(and(eq(sessions.userId, uid), eq(sessions.id, tasks.sessionId)))
    .limit(1)
    .as('session');
  const best = db
    .select({ id: tasks.id, rank: rankOf(tasks, search.terms).as('rank'), sessionName: session.name })
    .from(tasks)
    .innerJoinLateral(session, isNull(session.deletedAt))
    .where(and(eq(tasks.userId, uid), inArray(tasks.id, ids)))
    .orderBy(desc(sql`rank`), desc(tasks.createdAt))
    .limit(limit)
    .as('best');
  return db
    .select({
      id: tasks.id,
      sessionId: tasks.sessionId,
      sessionName: best.sessionName,
      agentName: tasks.agentName,
      createdAt: tasks.createdAt,
      passage: passageOf(sql`${tasks.inputText} || ' ' || ${tasks.message}`, search.terms),
    })
    .from(best)
    .innerJoin(tasks, and(eq(tasks.userId, uid), eq(tasks.id, best.id)))
    .orderBy(desc(best.rank), desc(tasks.createdAt));
}

const OWN_MEMORIES: Own = {
  table: memories,
  at: memories.createdAt,
  living: undefined,
  keep: sql`${isNull(memories.forgottenAt)} and ${isOnPath(memories.userId, memories.taskId)}`,
};

/** The ids of the user's matching memories, best first, with the passage. */
export async function findMemoryPassages(db: Db, search: Search) {
  const ids = await findOwn(db, search, OWN_MEMORIES, RANKED);
  if (ids.length === 0) return [];
  const { uid, limit } = search;
  const best = db
    .select({ id: memories.id, rank: rankOf(memories, search.terms).as('rank') })
    .from(memories)
    .where(and(eq(memories.userId, uid), inArray(memories.id, ids)))
    .orderBy(desc(sql`rank`), desc(memories.createdAt))
    .limit(limit)
    .as('best');
  return db
    .select({ id: memories.id, passage: passageOf(sql`${memories.text}`, search.terms) })
    .from(best)
    .innerJoin(memories, and(eq(memories.userId, uid), eq(memories.id, best.id)))
    .orderBy(desc(best.rank), desc(memories.createdAt));
}

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
