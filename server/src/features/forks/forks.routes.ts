import { forkCalls } from '@atelier/contract/forks';
import type { Deps } from '../../platform/deps.ts';
import { serve } from '../../serve.ts';
import { getAgent, toAgent } from '../agents/agents.service.ts';
import { getUpstream, takeOverUpstream } from './forks.service.ts';

/** A copy and its original; copying itself stands beside the public agents. */
export const forksRoutes = (deps: Deps) =>
  serve(forkCalls, {
    get: async ({ caller, params }) => {
      const copy = await getAgent(deps.db, caller.uid, params.agentId);
      return { upstream: await getUpstream(deps, copy) };
    },
    take: async ({ caller, params, body }) => {
      const copy = await getAgent(deps.db, caller.uid, params.agentId);
      return { agent: toAgent(await takeOverUpstream(deps, caller, copy, body)) };
    },
  });
