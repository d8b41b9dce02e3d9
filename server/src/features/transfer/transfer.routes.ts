import { agentFile, agentFileOf } from '@atelier/contract/agents/agent-file';
import { Hono } from 'hono';
import { type AppEnv, requires } from '../../access.ts';
import type { Deps } from '../../platform/deps.ts';
import { validate } from '../../platform/http/validate.ts';
import { getAgent, toAgent } from '../agents/agents.service.ts';
import { importAgent } from './transfer.service.ts';

/** Agents as files. */
export function transferRoutes(deps: Deps) {
  return new Hono<AppEnv>()
    .get('/:agentId/export', requires('user'), async (c) => {
      const agent = await getAgent(deps.db, c.get('caller').uid, c.req.param('agentId'));
      // The address may hold any letter; a header may not, so the name stands there encoded (RFC 8187).
      const name = encodeURIComponent(`${agent.slug}.agent.json`).replaceAll("'", '%27').replaceAll('*', '%2A');
      return c.body(`${JSON.stringify(agentFileOf(agent), null, 2)}\n`, 200, {
        'content-type': 'application/json; charset=utf-8',
        'content-disposition': `attachment; filename="agent.json"; filename*=UTF-8''${name}`,
      });
    })
    .post('/import', requires('user', 'agents'), validate('json', agentFile), async (c) => {
      const { agent, notes } = await importAgent(deps, c.get('caller'), c.req.valid('json'));
      return c.json({ agent: toAgent(agent), notes }, 201);
    });
}
