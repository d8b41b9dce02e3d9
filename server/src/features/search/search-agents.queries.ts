import { and, desc, eq, inArray, isNull, ne, sql } from 'drizzle-orm';
import type { Db } from '../../platform/database/database.ts';
import { findInOrder } from '../../platform/database/find-in-order.ts';
import { FOR_ALL, passageOf, rankOf, type Term } from '../../platform/database/text-search.ts';
import { user } from '../accounts/accounts.table.ts';
import { agents, isVisible } from '../agents/agents.table.ts';
import { imitatedAgent } from '../explore/explore.table.ts';
import { findOwn, isOther, type Own, RANKED, type Search } from './search.queries.ts';

const OWN_AGENTS: Own = { table: agents, at: agents.createdAt, living: isNull(agents.deletedAt) };

const agentPassage = (terms: readonly Term[]) =>
  passageOf(sql`concat_ws(' ', ${agents.name}, nullif(${agents.description}, ''), ${agents.prompt})`, terms);

/** The user's own agents by name, description and prompt. */
export async function findAgents(db: Db, search: Search) {
  const ids = await findOwn(db, search, OWN_AGENTS, RANKED);
  if (ids.length === 0) return [];
  const best = db
    .select({ id: agents.id, rank: rankOf(agents, search.terms).as('rank') })
    .from(agents)
    .where(and(eq(agents.userId, search.uid), inArray(agents.id, ids)))
    .orderBy(desc(sql`rank`), desc(agents.createdAt))
    .limit(search.limit)
    .as('best');
  return db
    .select({ id: agents.slug, name: agents.name, passage: agentPassage(search.terms) })
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
      imitates: imitatedAgent,
      passage: agentPassage(words),
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
