import { usageQuery } from '@atelier/contract/spending/usage';
import { Hono } from 'hono';
import { type AppEnv, requires } from '../../access.ts';
import type { Deps } from '../../platform/deps.ts';
import { validate } from '../../platform/http/validate.ts';
import { reportUsage } from './usage.service.ts';

export function usageRoutes(deps: Deps) {
  return new Hono<AppEnv>().get('/', requires('user', 'searches'), validate('query', usageQuery), async (c) =>
    c.json(await reportUsage(deps, c.get('caller'), c.req.valid('query'))),
  );
}
