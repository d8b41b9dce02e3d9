import { agentCalls } from '@atelier/contract/agents';
import type { Deps } from '../../platform/deps.ts';
import { serve } from '../../serve.ts';
import { createAgent, getAgent, listAgents, toAgent, updateAgent } from './agents.service.ts';

export const agentsRoutes = (deps: Deps) =>
  serve(agentCalls, {
    list: async ({ caller, query }) => {
      const { rows, nextCursor } = await listAgents(deps, caller, query);
      return { agents: rows.map(toAgent), nextCursor };
    },
    create: async ({ caller, body }) => ({ agent: toAgent(await createAgent(deps, caller, body)) }),
    get: async ({ caller, params }) => ({ agent: toAgent(await getAgent(deps.db, caller.uid, params.agentId)) }),
    update: async ({ caller, params, body }) => {
      const row = await getAgent(deps.db, caller.uid, params.agentId);
      return { agent: toAgent(await updateAgent(deps, caller, row, body)) };
    },
  });
