import { exploreQuery } from '@atelier/contract/explore';
import { Hono } from 'hono';
import { type AppEnv, requires } from '../../access.ts';
import type { Deps } from '../../platform/deps.ts';
import { validate } from '../../platform/http/validate.ts';
import { toAgent } from '../agents/agents.service.ts';
import { copyAgent } from '../forks/forks.service.ts';
import { getPublicAgent, listPublicAgents, toPublicAgent } from './explore.service.ts';

export function exploreRoutes(deps: Deps) {
  return new Hono<AppEnv>()
    .get('/', requires('user'), validate('query', exploreQuery), async (c) => {
      const { rows, nextCursor } = await listPublicAgents(deps, c.get('caller'), c.req.valid('query'));
      return c.json({ agents: rows.map(toPublicAgent), nextCursor });
    })
    .get('/:creatorId/:agentId', requires('user'), async (c) => {
      const { creatorId, agentId } = c.req.param();
      return c.json({ agent: toPublicAgent(await getPublicAgent(deps, c.get('caller'), creatorId, agentId)) });
    })
    .post('/:creatorId/:agentId/copy', requires('user', 'agents'), async (c) => {
      const caller = c.get('caller');
      const { creatorId, agentId } = c.req.param();
      const { agent } = await getPublicAgent(deps, caller, creatorId, agentId);
      return c.json({ agent: toAgent(await copyAgent(deps, caller, agent)) }, 201);
    });
}
