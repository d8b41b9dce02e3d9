import type { Favorite } from '@atelier/contract/favorites';
import type { PageQuery } from '@atelier/contract/ids';
import { and, eq, inArray } from 'drizzle-orm';
import { type Caller, libraryBound, tooManyFor } from '../../access.ts';
import type { Tx } from '../../platform/database/database.ts';
import type { Deps } from '../../platform/deps.ts';
import { decodeCursor, page } from '../../platform/http/cursor.ts';
import { consumeFavorite } from '../accounts/accounts.limits.service.ts';
import { isOwnNetwork } from '../accounts/door/door.service.ts';
import { exploreId } from '../agents/agents.service.ts';
import { getPublicAgent, toPublicAgent } from '../explore/explore.service.ts';
import { favoritedAt, favoritesOf } from './favorites.queries.ts';
import { favorites } from './favorites.table.ts';

interface Address {
  creatorId: string;
  agentId: string;
}

/** The caller's favorites that everyone may still see, latest first; the other records stay. */
export async function listFavorites(ctx: Deps, caller: Caller, query: PageQuery) {
  const rows = await favoritesOf(ctx.db, caller.uid, decodeCursor(query.cursor), query.limit + 1);
  const { nextCursor, rows: shown } = page(rows, query.limit, (row) => ({
    at: row.favorite.favoritedAt,
    id: row.favorite.agentId,
  }));
  return {
    nextCursor,
    favorites: shown.map(({ favorite, ...row }) => toFavorite(favorite.favoritedAt, { ...row, favorited: true })),
  };
}

/**
 * Favorites a public agent; a repetition changes nothing. Throws 404 when there is no such public agent, 429 when many on the network of
 * `from` have just favorited it: they may be one person.
 */
export async function addFavorite(
  ctx: Deps,
  caller: Caller,
  { creatorId, agentId }: Address,
  from: string,
): Promise<Favorite> {
  const { agent, favorited } = await getPublicAgent(ctx, caller, creatorId, agentId);
  if (!favorited) await consumeNearby(ctx, agent.id, from);
  const key = { userId: caller.uid, creatorId: agent.userId, agentId: agent.id };
  const added = await ctx.db.transaction(async (tx) => {
    const [row] = await tx.insert(favorites).values(key).onConflictDoNothing().returning();
    if (row !== undefined) await tellEverybody(ctx, tx, caller, { creatorId: agent.userId, agentId: agent.slug });
    return row;
  });
  const row = added ?? (await ctx.db.select().from(favorites).where(isKey(key)).limit(1))[0];
  return toFavorite(row?.favoritedAt ?? new Date(), await getPublicAgent(ctx, caller, creatorId, agentId));
}

async function consumeNearby(ctx: Deps, agentId: string, from: string): Promise<void> {
  if (await isOwnNetwork(ctx, from)) return;
  const { retryAfter } = await consumeFavorite(ctx, agentId, from, libraryBound(ctx.config, 'favoritesNearby'));
  if (retryAfter !== null) throw tooManyFor(retryAfter, 'Many people on your network have just favorited this agent.');
}

/** Removes the caller's favorite, if there is one, also of an agent that is no longer public. */
export async function removeFavorite(ctx: Deps, caller: Caller, { creatorId, agentId }: Address): Promise<void> {
  const favorite = await favoritedAt(ctx.db, caller.uid, creatorId, agentId);
  if (favorite.length === 0) return;
  const ids = favorite.map((f) => f.agentId);
  await ctx.db.transaction(async (tx) => {
    await tx
      .delete(favorites)
      .where(
        and(eq(favorites.userId, caller.uid), eq(favorites.creatorId, creatorId), inArray(favorites.agentId, ids)),
      );
    await tellEverybody(ctx, tx, caller, { creatorId, agentId });
  });
}

const isKey = (key: { userId: string; creatorId: string; agentId: string }) =>
  and(eq(favorites.userId, key.userId), eq(favorites.creatorId, key.creatorId), eq(favorites.agentId, key.agentId));

async function tellEverybody(ctx: Deps, tx: Tx, caller: Caller, { creatorId, agentId }: Address) {
  const id = exploreId({ userId: creatorId, slug: agentId });
  await ctx.live.notify(tx, caller.uid, 'favorites', id);
  await ctx.live.notify(tx, creatorId, 'agents', id);
  await ctx.live.notify(tx, '*', 'explore', id);
}

function toFavorite(favoritedAt: Date, row: Parameters<typeof toPublicAgent>[0]): Favorite {
  const agent = toPublicAgent(row);
  return { creatorId: agent.creatorId, agentId: agent.id, favoritedAt: favoritedAt.toISOString(), agent };
}
