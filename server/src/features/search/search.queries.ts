import { and, desc, eq, inArray, isNull, ne, not, type SQL, sql } from 'drizzle-orm';
import type { Db } from '../../platform/database/database.ts';
import { findInOrder, type Wanted } from '../../platform/database/find-in-order.ts';
import {
  allWords,
  FOR_ALL,
  fitsWords,
  ofOwner,
  passageOf,
  rankOf,
  type Term,
} from '../../platform/database/text-search.ts';
import { user } from '../accounts/accounts.table.ts';
import { agents, isVisible } from '../agents/agents.table.ts';
import { memories } from '../memory/memory.table.ts';
import { isOnPath } from '../runs/places.table.ts';
import { tasks } from '../runs/runs.table.ts';
import { sessions } from '../sessions/sessions.table.ts';

/** How many of the newest matches are ranked: a common word must not make a search slow. */
const RANKED = 60;

export interface Search {
  uid: string;
  terms: readonly Term[];
  /** Leave out rows that match these terms: they were found already. */
  without?: readonly Term[];
  limit: number;
}

type Own = Pick<Wanted, 'table' | 'at'> & { living: SQL | undefined; keep?: SQL };

const isOther = (table: Wanted['table'], { without }: Search) =>
  without === undefined ? undefined : not(fitsWords(table, allWords(without)));

/** The ids of the user's newest matching rows. */
async function findOwn(db: Db, search: Search, { table, at, living, keep }: Own, limit: number) {
  const { uid, terms: words } = search;
  const scope = and(eq(table.userId, uid), living);
  const kept = and(keep, isOther(table, search));
  const found = await findInOrder(db, { table, at, scope, keep: kept, words, mark: ofOwner(uid), limit });
  return found.map(({ id }) => id);
}

const OWN_SESSIONS: Own = { table: sessions, at: sessions.createdAt, living: isNull(sessions.deletedAt) };
const onPath = sql`(select p.on_path from task_places p where p.user_id = ${tasks.userId} and p.task_id = ${tasks.id})`;
const OWN_TASKS: Own = { table: tasks, at: tasks.createdAt, living: undefined, keep: onPath };
const OWN_MEMORIES: Own = {
  table: memories,
  at: memories.createdAt,
  living: undefined,
  keep: sql`${isNull(memories.forgottenAt)} and ${isOnPath(memories.userId, memories.taskId)}`,
};
const OWN_AGENTS: Own = { table: agents, at: agents.createdAt, living: isNull(agents.deletedAt) };

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

/** The user's exchanges by question and answer, with the matching passage. */
export async function findExchanges(db: Db, search: Search) {
  const ids = await findOwn(db, search, OWN_TASKS, RANKED);
  if (ids.length === 0) return [];
  const { uid, limit } = search;
  const query = allWords(search.terms);
  const session = db
    .select({ name: sessions.name, deletedAt: sessions.deletedAt })
    .from(sessions)
    .where(and(eq(sessions.userId, uid), eq(sessions.id, tasks.sessionId)))
    .limit(1)
    .as('session');
  const best = db
    .select({ id: tasks.id, rank: rankOf(tasks, query).as('rank'), sessionName: session.name })
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
      passage: passageOf(sql`${tasks.inputText} || ' ' || ${tasks.message}`, query),
    })
    .from(best)
    .innerJoin(tasks, and(eq(tasks.userId, uid), eq(tasks.id, best.id)))
    .orderBy(desc(best.rank), desc(tasks.createdAt));
}

/** The ids of the user's matching memories, best first, with the passage. */
export async function findMemoryPassages(db: Db, search: Search) {
  const ids = await findOwn(db, search, OWN_MEMORIES, RANKED);
  if (ids.length === 0) return [];
  const { uid, limit } = search;
  const query = allWords(search.terms);
  const best = db
    .select({ id: memories.id, rank: rankOf(memories, query).as('rank') })
    .from(memories)
    .where(and(eq(memories.userId, uid), inArray(memories.id, ids)))
    .orderBy(desc(sql`rank`), desc(memories.createdAt))
    .limit(limit)
    .as('best');
  return db
    .select({ id: memories.id, passage: passageOf(sql`${memories.text}`, query) })
    .from(best)
    .innerJoin(memories, and(eq(memories.userId, uid), eq(memories.id, best.id)))
    .orderBy(desc(best.rank), desc(memories.createdAt));
}

const agentPassage = (query: SQL) =>
  passageOf(sql`concat_ws(' ', ${agents.name}, nullif(${agents.description}, ''), ${agents.prompt})`, query);

/** The user's own agents by name, description and prompt. */
export async function findAgents(db: Db, search: Search) {
  const ids = await findOwn(db, search, OWN_AGENTS, RANKED);
  if (ids.length === 0) return [];
  const query = allWords(search.terms);
  const best = db
    .select({ id: agents.id, rank: rankOf(agents, query).as('rank') })
    .from(agents)
    .where(and(eq(agents.userId, search.uid), inArray(agents.id, ids)))
    .orderBy(desc(sql`rank`), desc(agents.createdAt))
    .limit(search.limit)
    .as('best');
  return db
    .select({ id: agents.slug, name: agents.name, passage: agentPassage(query) })
    .from(best)
    .innerJoin(agents, and(eq(agents.userId, search.uid), eq(agents.id, best.id)))
    .orderBy(desc(best.rank), desc(agents.createdAt));
}

/** Other people's public agents, most favorites first. */
export async function findPublicAgents(db: Db, search: Search) {
  const { uid, terms: words, limit } = search;
  const popular = await findInOrder(db, {
    table: agents,
    at: agents.favoriteCount,
    scope: and(agents.isPublic, isNull(agents.deletedAt)),
    keep: and(
      ne(agents.userId, uid),
      isOther(agents, search),
      sql`exists (select from ${user} where ${user.id} = ${agents.userId} and not ${user.banned})`,
    ),
    words,
    mark: FOR_ALL,
    limit,
  });
  if (popular.length === 0) return [];
  const ids = popular.map(({ id }) => id);
  return db
    .select({
      id: agents.slug,
      creatorId: agents.userId,
      name: agents.name,
      creatorName: user.name,
      passage: agentPassage(allWords(words)),
    })
    .from(agents)
    .innerJoin(user, eq(user.id, agents.userId))
    .where(
      and(
        isVisible,
        inArray(
          agents.userId,
          popular.map(({ userId }) => userId),
        ),
        inArray(agents.id, ids),
      ),
    )
    .orderBy(desc(agents.favoriteCount), desc(agents.id));
}
