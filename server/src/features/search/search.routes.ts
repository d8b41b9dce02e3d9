import { searchQuery } from '@atelier/contract/search';
import { Hono } from 'hono';
import { type AppEnv, requires } from '../../access.ts';
import type { Deps } from '../../platform/deps.ts';
import { validate } from '../../platform/http/validate.ts';
import { search } from './search.service.ts';

export function searchRoutes(deps: Deps) {
  return new Hono<AppEnv>().get('/', requires('pro', 'searches'), validate('query', searchQuery), async (c) =>
    c.json(await search(deps, c.get('caller'), c.req.valid('query'))),
  );
}
