import { Hono } from 'hono';
import { type AppEnv, requires } from '../../access.ts';
import type { Deps } from '../../platform/deps.ts';
import { listTools } from './tools.service.ts';

/** Mounted at /api/tools. */
export function toolsRoutes(deps: Deps) {
  return new Hono<AppEnv>().get('/', requires('user'), async (c) =>
    c.json({ tools: await listTools(deps, c.get('caller').uid) }),
  );
}
