import { and, desc, eq } from 'drizzle-orm';
import type { Db } from '../../platform/database/database.ts';
import { behind } from '../../platform/database/keyset.ts';
import type { Position } from '../../platform/http/cursor.ts';
import { user } from '../accounts/accounts.table.ts';
import { agents, isVisible } from '../agents/agents.table.ts';
import { imitatedAgent } from '../explore/explore.table.ts';
import { favorites } from './favorites.table.ts';

/** A person's favorites that everyone may still see, latest first. */
export const favoritesOf = (db: Db, uid: string, after: Position | undefined, limit: number) =>
  db
    .select({ favorite: favorites, agent: agents, creatorName: user.name, imitates: imitatedAgent })
    .from(favorites)
    .innerJoin(agents, and(eq(agents.userId, favorites.creatorId), eq(agents.id, favorites.agentId)))
    .innerJoin(user, eq(user.id, agents.userId))
    .where(and(eq(favorites.userId, uid), isVisible, behind(favorites.favoritedAt, favorites.agentId, after)))
    .orderBy(desc(favorites.favoritedAt), desc(favorites.agentId))
    .limit(limit);

/** The hidden keys of favorited agents at an author's address, public or not; several agents may have had the address. */
export const favoritedAt = (db: Db, uid: string, creatorId: string, slug: string) =>
  db
    .select({ agentId: favorites.agentId, isPublic: agents.isPublic })
    .from(favorites)
    .innerJoin(agents, and(eq(agents.userId, favorites.creatorId), eq(agents.id, favorites.agentId)))
    .where(and(eq(favorites.userId, uid), eq(favorites.creatorId, creatorId), eq(agents.slug, slug)));
