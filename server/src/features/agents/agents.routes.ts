import { agentCreate, agentUpdate } from '@atelier/contract/agents';
import { pageQuery } from '@atelier/contract/ids';
import { Hono } from 'hono';
import { type AppEnv, requires } from '../../access.ts';
import type { Deps } from '../../platform/deps.ts';
import { validate } from '../../platform/http/validate.ts';
import { getAgent, listAgents, toAgent } from './agents.service.ts';
import { createAgent } from './create-agent.service.ts';
import { updateAgent } from './update-agent.service.ts';

export function agentsRoutes(deps: Deps) {
  return new Hono<AppEnv>()
    .get('/', requires('user'), validate('query', pageQuery), async (c) => {
      const { rows, nextCursor } = await listAgents(deps, c.get('caller'), c.req.valid('query'));
      return c.json({ agents: rows.map(toAgent), nextCursor });
    })
    .post('/', requires('user', 'agents'), validate('json', agentCreate), async (c) => {
      const row = await createAgent(deps, c.get('caller'), c.req.valid('json'));
      return c.json({ agent: toAgent(row) }, 201);
    })
    .get('/:agentId', requires('user'), async (c) => {
      const row = await getAgent(deps.db, c.get('caller').uid, c.req.param('agentId'));
      return c.json({ agent: toAgent(row) });
    })
    .put('/:agentId', requires('user'), validate('json', agentUpdate), async (c) => {
      const caller = c.get('caller');
      const row = await getAgent(deps.db, caller.uid, c.req.param('agentId'));
      return c.json({ agent: toAgent(await updateAgent(deps, caller, row, c.req.valid('json'))) });
    });
}
