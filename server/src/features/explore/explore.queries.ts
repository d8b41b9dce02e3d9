import type { ExploreQuery } from '@atelier/contract/explore';
import { and, arrayContains, desc, eq, sql } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import type { Db } from '../../platform/database/database.ts';
import { findInOrder, type OrderedQuery, withoutSorting } from '../../platform/database/find-in-order.ts';
import { behind } from '../../platform/database/keyset.ts';
import { containsWords } from '../../platform/database/text-search.ts';
import { user } from '../accounts/accounts.table.ts';
import { agents, areAgents, isAuthorIn, isPublished, isVisible } from '../agents/agents.table.ts';
import { favorites } from '../favorites/favorites.table.ts';
import { exploreTags, imitatedAgent } from './explore.table.ts';

type ExploreFilter = Pick<ExploreQuery, 'tag' | 'q'>;

const isLookedFor = ({ tag, q = '' }: ExploreFilter) =>
  and(
    tag ? arrayContains(agents.tags, [tag]) : undefined,
    containsWords(sql`(${agents.name} || ' ' || ${agents.description})`, q),
  );

const shape = (uid: string) => ({
  agent: agents,
  creatorName: user.name,
  imitates: imitatedAgent,
  favorited: sql<boolean>`exists (select 1 from ${favorites} f
    where f.user_id = ${uid} and f.creator_id = ${agents.userId} and f.agent_id = ${agents.id})`,
});
export type PublicRow = Awaited<ReturnType<typeof publicAgentAt>>[number];

/** One public agent by its address, as `uid` sees it; no row when there is none, or it isn’t among those looked for. */
export const publicAgentAt = (db: Db, uid: string, creatorId: string, slug: string, looked: ExploreFilter = {}) =>
  db
    .select(shape(uid))
    .from(agents)
    .innerJoin(user, eq(user.id, agents.userId))
    .where(and(eq(agents.userId, creatorId), eq(agents.slug, slug), isVisible, isLookedFor(looked)))
    .limit(1);

const ORDERS = { favorites: agents.favoriteCount, new: agents.createdAt } satisfies Record<
  ExploreQuery['sort'],
  PgColumn
>;

type Page = ExploreFilter & Pick<ExploreQuery, 'sort'> & Pick<OrderedQuery, 'after' | 'limit'>;

/** Public agents in either order, perhaps by words and a tag. */
export async function publicAgents(db: Db, uid: string, { sort, after, limit, ...looked }: Page) {
  if (looked.tag && !looked.q && sort === 'favorites') return publicAgentsTagged(db, uid, looked.tag, { after, limit });
  const keep = and(isLookedFor(looked), isAuthorIn);
  const keys = await findInOrder(db, { table: agents, at: ORDERS[sort], scope: isPublished, keep, after, limit });
  return db
    .select(shape(uid))
    .from(agents)
    .innerJoin(user, eq(user.id, agents.userId))
    .where(and(isVisible, areAgents(keys)))
    .orderBy(desc(ORDERS[sort]), desc(agents.id));
}

/** Those with one tag, most favorites first, in the order of the projection: the rare ones at once, however many agents there are. */
const publicAgentsTagged = (
  db: Db,
  uid: string,
  tag: string,
  { after, limit }: Pick<OrderedQuery, 'after' | 'limit'>,
) =>
  db
    .select(shape(uid))
    .from(exploreTags)
    .innerJoin(agents, and(eq(agents.userId, exploreTags.creatorId), eq(agents.id, exploreTags.agentId)))
    .innerJoin(user, eq(user.id, agents.userId))
    .where(and(eq(exploreTags.tag, tag), isVisible, behind(exploreTags.favoriteCount, exploreTags.agentId, after)))
    .orderBy(desc(exploreTags.favoriteCount), desc(exploreTags.agentId))
    .limit(limit);

/** The tags of the most popular public agents, those of each together. */
export const popularTags = (db: Db, limit: number) =>
  withoutSorting(db, (tx) =>
    tx
      .select({ tags: agents.tags })
      .from(agents)
      .where(and(isPublished, isAuthorIn))
      .orderBy(desc(agents.favoriteCount), desc(agents.id))
      .limit(limit),
  );
