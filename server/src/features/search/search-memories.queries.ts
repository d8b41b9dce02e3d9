import { and, desc, eq, inArray, isNull, sql } from 'drizzle-orm';
import type { Db } from '../../platform/database/database.ts';
import { passageOf, rankOf } from '../../platform/database/text-search.ts';
import { memories } from '../memory/memory.table.ts';
import { isOnPath } from '../runs/places.table.ts';
import { findOwn, type Own, RANKED, type Search } from './search.queries.ts';

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
