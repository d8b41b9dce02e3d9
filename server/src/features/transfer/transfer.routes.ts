import { agentFileCalls, agentFileOf } from '@atelier/contract/agents/agent-file';
import type { Deps } from '../../platform/deps.ts';
import { serve } from '../../serve.ts';
import { getAgent, toAgent } from '../agents/agents.service.ts';
import { importAgent } from './transfer.service.ts';

/** Agents as files. */
export const transferRoutes = (deps: Deps) =>
  serve(agentFileCalls, {
    export: async ({ c, caller, params }) => {
      const agent = await getAgent(deps.db, caller.uid, params.agentId);
      // The address may hold any letter; a header may not, so the name stands there encoded (RFC 8187).
      const name = encodeURIComponent(`${agent.slug}.agent.json`).replaceAll("'", '%27').replaceAll('*', '%2A');
      return c.body(`${JSON.stringify(agentFileOf(agent), null, 2)}\n`, 200, {
        'content-type': 'application/json; charset=utf-8',
        'content-disposition': `attachment; filename="agent.json"; filename*=UTF-8''${name}`,
      });
    },
    import: async ({ caller, body }) => {
      const { agent, notes } = await importAgent(deps, caller, body);
      return { agent: toAgent(agent), notes };
    },
  });
