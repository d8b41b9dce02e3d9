import { and, desc, eq, sql } from 'drizzle-orm';
import type { Db } from '../../platform/database/database.ts';
import { behind } from '../../platform/database/keyset.ts';
import type { RankPosition } from '../../platform/http/cursor.ts';
import { user } from '../accounts/accounts.table.ts';
import { agents, isVisible } from '../agents/agents.table.ts';
import { favorites } from '../favorites/favorites.table.ts';
import { exploreTags } from './explore.table.ts';

const shape = (uid: string) => ({
  agent: agents,
  creatorName: user.name,
  favorited: sql<boolean>`exists (select 1 from ${favorites} f
    where f.user_id = ${uid} and f.creator_id = ${agents.userId} and f.agent_id = ${agents.id})`,
});
export type PublicRow = Awaited<ReturnType<typeof publicAgentAt>>[number];

/** One public agent by its address, as `uid` sees it; no row when there is none. */
export const publicAgentAt = (db: Db, uid: string, creatorId: string, slug: string) =>
  db
    .select(shape(uid))
    .from(agents)
    .innerJoin(user, eq(user.id, agents.userId))
    .where(and(eq(agents.userId, creatorId), eq(agents.slug, slug), isVisible))
    .limit(1);

/** Public agents, most favorites first, in the order of the index `agents_explore`. */
export const publicAgents = (db: Db, uid: string, after: RankPosition | undefined, limit: number) =>
  db
    .select(shape(uid))
    .from(agents)
    .innerJoin(user, eq(user.id, agents.userId))
    .where(and(isVisible, behind(agents.favoriteCount, agents.id, after)))
    .orderBy(desc(agents.favoriteCount), desc(agents.id))
    .limit(limit);

/** The same for one tag, in the projection's own order. */
export const publicAgentsTagged = (
  db: Db,
  uid: string,
  { tag, after, limit }: { tag: string; after: RankPosition | undefined; limit: number },
) =>
  db
    .select(shape(uid))
    .from(exploreTags)
    .innerJoin(agents, and(eq(agents.userId, exploreTags.creatorId), eq(agents.id, exploreTags.agentId)))
    .innerJoin(user, eq(user.id, agents.userId))
    .where(and(eq(exploreTags.tag, tag), isVisible, behind(exploreTags.favoriteCount, exploreTags.agentId, after)))
    .orderBy(desc(exploreTags.favoriteCount), desc(exploreTags.agentId))
    .limit(limit);
