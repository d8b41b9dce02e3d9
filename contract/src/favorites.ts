import { z } from 'zod';
import { publicAgent } from './explore.ts';
import { instant } from './ids.ts';

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
