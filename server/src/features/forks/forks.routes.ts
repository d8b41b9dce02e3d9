import { upstreamTake } from '@atelier/contract/forks';
import { Hono } from 'hono';
import { type AppEnv, requires } from '../../access.ts';
import type { Deps } from '../../platform/deps.ts';
import { validate } from '../../platform/http/validate.ts';
import { getAgent, toAgent } from '../agents/agents.service.ts';
import { getUpstream, takeOverUpstream } from './forks.service.ts';

/** A copy and its original; copying itself stands beside the public agents. */
export function forksRoutes(deps: Deps) {
  return new Hono<AppEnv>()
    .get('/:agentId/upstream', requires('user'), async (c) => {
      const copy = await getAgent(deps.db, c.get('caller').uid, c.req.param('agentId'));
      return c.json({ upstream: await getUpstream(deps, copy) });
    })
    .post('/:agentId/upstream', requires('user'), validate('json', upstreamTake), async (c) => {
      const caller = c.get('caller');
      const copy = await getAgent(deps.db, caller.uid, c.req.param('agentId'));
      return c.json({ agent: toAgent(await takeOverUpstream(deps, caller, copy, c.req.valid('json'))) });
    });
}
