import { z } from 'zod';
import { calls, get, put, remove } from './calls.ts';
import { publicAgent } from './explore.ts';
import { instant, pageQuery } from './ids.ts';

/** A person's favorite of somebody's public agent. */
export const favorite = z.object({
  creatorId: z.string(),
  agentId: z.string(),
  favoritedAt: instant,
  agent: publicAgent,
});
export type Favorite = z.infer<typeof favorite>;

export const favoriteAnswer = z.object({ favorite });
export const favoritesAnswer = z.object({ favorites: z.array(favorite), nextCursor: z.string().nullable() });

export const favoriteCalls = calls('/api/favorites', {
  list: get('', 'listFavorites', 'Your favorites.', { query: pageQuery, answer: favoritesAnswer }),
  add: put('/:creatorId/:agentId', 'addFavorite', 'Makes an agent a favorite.', {
    rate: 'favorites',
    answer: favoriteAnswer,
  }),
  remove: remove('/:creatorId/:agentId', 'removeFavorite', 'Removes a favorite.', { rate: 'favorites' }),
});
