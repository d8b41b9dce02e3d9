import { and, desc, eq, isNull, ne, sql } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import type { Db } from '../../platform/database/database.ts';
import { allWords, matches, passageOf, rankOf } from '../../platform/database/text-search.ts';
import { user } from '../accounts/accounts.table.ts';
import { agents, agentWords, isVisible } from '../agents/agents.table.ts';
import { memories, memoryWords } from '../memory/memory.table.ts';
import { tasks, taskWords } from '../runs/runs.table.ts';
import { sessions } from '../sessions/sessions.table.ts';

/** Of what fits, the newest this many are ranked: a word that stands everywhere must not make a search slow. */
const RANKED = 60;

/**
 * Newest first, said so that no index by time fits: a planner takes it for the quickest way to the newest that match, and then
 * reads the words of everything that does not.
 */
const newestFirst = (createdAt: PgColumn) => sql`${createdAt} + interval '0' desc`;

interface Search {
  uid: string;
  words: readonly string[];
  limit: number;
}

/** The user's sessions by their names. */
export const findSessions = (db: Db, { uid, words, limit }: Search) =>
  db
    .select({ id: sessions.id, name: sessions.name, agentName: agents.name, createdAt: sessions.createdAt })
    .from(sessions)
    .innerJoin(agents, and(eq(agents.userId, sessions.userId), eq(agents.id, sessions.agentId)))
    .where(
      and(
        eq(sessions.userId, uid),
        isNull(sessions.deletedAt),
        sql`to_tsvector('english'::regconfig, ${sessions.name}) @@ ${allWords(words)}`,
      ),
    )
    .orderBy(desc(sessions.createdAt))
    .limit(limit);

/** The user's exchanges by question and answer, with the passage that fits. */
export function findExchanges(db: Db, { uid, words, limit }: Search) {
  const query = allWords(words);
  const newest = db
    .select({
      id: tasks.id,
      sessionId: tasks.sessionId,
      createdAt: tasks.createdAt,
      rank: rankOf(taskWords, query).as('rank'),
    })
    .from(tasks)
    .where(and(eq(tasks.userId, uid), matches(taskWords, query)))
    .orderBy(newestFirst(tasks.createdAt))
    .limit(RANKED)
    .as('newest');
  const best = db
    .select({ id: newest.id, rank: newest.rank, sessionId: newest.sessionId, sessionName: sessions.name })
    .from(newest)
    .innerJoin(sessions, and(eq(sessions.userId, uid), eq(sessions.id, newest.sessionId)))
    .where(isNull(sessions.deletedAt))
    .orderBy(desc(newest.rank), desc(newest.createdAt))
    .limit(limit)
    .as('best');
  return db
    .select({
      id: tasks.id,
      sessionId: best.sessionId,
      sessionName: best.sessionName,
      agentName: tasks.agentName,
      createdAt: tasks.createdAt,
      passage: passageOf(taskWords, query),
    })
    .from(best)
    .innerJoin(tasks, and(eq(tasks.userId, uid), eq(tasks.id, best.id)))
    .orderBy(desc(best.rank), desc(tasks.createdAt));
}

/** The ids of the user's memories that fit, the best first, with the passage. */
export function findMemoryPassages(db: Db, { uid, words, limit }: Search) {
  const query = allWords(words);
  const newest = db
    .select({ id: memories.id, createdAt: memories.createdAt, rank: rankOf(memoryWords, query).as('rank') })
    .from(memories)
    .where(and(eq(memories.userId, uid), isNull(memories.forgottenAt), matches(memoryWords, query)))
    .orderBy(newestFirst(memories.createdAt))
    .limit(RANKED)
    .as('newest');
  const best = db.select().from(newest).orderBy(desc(newest.rank), desc(newest.createdAt)).limit(limit).as('best');
  return db
    .select({ id: memories.id, passage: passageOf(memoryWords, query) })
    .from(best)
    .innerJoin(memories, and(eq(memories.userId, uid), eq(memories.id, best.id)))
    .orderBy(desc(best.rank), desc(best.createdAt));
}

/** The user's own agents by name and prompt. */
export const findAgents = (db: Db, { uid, words, limit }: Search) => {
  const query = allWords(words);
  return db
    .select({ id: agents.slug, name: agents.name, passage: passageOf(agentWords, query) })
    .from(agents)
    .where(and(eq(agents.userId, uid), isNull(agents.deletedAt), matches(agentWords, query)))
    .orderBy(desc(rankOf(agentWords, query)), desc(agents.createdAt))
    .limit(limit);
};

/** Other people's public agents, those with the most favorites first. */
export function findPublicAgents(db: Db, { uid, words, limit }: Search) {
  const query = allWords(words);
  const popular = db
    .select({ userId: agents.userId, id: agents.id, favoriteCount: agents.favoriteCount, creatorName: user.name })
    .from(agents)
    .innerJoin(user, eq(user.id, agents.userId))
    .where(and(isVisible, ne(agents.userId, uid), matches(agentWords, query)))
    .orderBy(desc(agents.favoriteCount), desc(agents.id))
    .limit(limit)
    .as('popular');
  return db
    .select({
      id: agents.slug,
      creatorId: agents.userId,
      name: agents.name,
      creatorName: popular.creatorName,
      passage: passageOf(agentWords, query),
    })
    .from(popular)
    .innerJoin(agents, and(eq(agents.userId, popular.userId), eq(agents.id, popular.id)))
    .orderBy(desc(popular.favoriteCount), desc(agents.id));
}
