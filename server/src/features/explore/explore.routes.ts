import { exploreCalls } from '@atelier/contract/explore';
import type { Deps } from '../../platform/deps.ts';
import { serve } from '../../serve.ts';
import { toAgent } from '../agents/agents.service.ts';
import { copyAgent } from '../forks/forks.service.ts';
import { getPublicAgent, listPublicAgents, listPublicTags, toPublicAgent } from './explore.service.ts';
import { reportAgent } from './reports.service.ts';

export const exploreRoutes = (deps: Deps) =>
  serve(exploreCalls, {
    list: async ({ caller, query }) => {
      const { rows, nextCursor } = await listPublicAgents(deps, caller, query);
      return { agents: rows.map(toPublicAgent), nextCursor };
    },
    tags: async () => ({ tags: await listPublicTags(deps) }),
    get: async ({ caller, params: { creatorId, agentId } }) => ({
      agent: toPublicAgent(await getPublicAgent(deps, caller, creatorId, agentId)),
    }),
    copy: async ({ caller, params: { creatorId, agentId } }) => {
      const { agent } = await getPublicAgent(deps, caller, creatorId, agentId);
      return { agent: toAgent(await copyAgent(deps, caller, agent)) };
    },
    report: async ({ caller, params: { creatorId, agentId }, body }) => {
      const { agent } = await getPublicAgent(deps, caller, creatorId, agentId);
      await reportAgent(deps, caller, agent, body);
    },
  });
