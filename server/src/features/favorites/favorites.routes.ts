import { pageQuery } from '@atelier/contract/ids';
import { Hono } from 'hono';
import { type AppEnv, requires } from '../../access.ts';
import type { Deps } from '../../platform/deps.ts';
import { validate } from '../../platform/http/validate.ts';
import { addFavorite, listFavorites, removeFavorite } from './favorites.service.ts';

export function favoritesRoutes(deps: Deps) {
  return new Hono<AppEnv>()
    .get('/', requires('user'), validate('query', pageQuery), async (c) =>
      c.json(await listFavorites(deps, c.get('caller'), c.req.valid('query'))),
    )
    .put('/:creatorId/:agentId', requires('user', 'favorites'), async (c) =>
      c.json({ favorite: await addFavorite(deps, c.get('caller'), c.req.param()) }),
    )
    .delete('/:creatorId/:agentId', requires('user', 'favorites'), async (c) => {
      await removeFavorite(deps, c.get('caller'), c.req.param());
      return c.body(null, 204);
    });
}
