import {
  type Agent,
  type AgentCreate,
  type AgentUpdate,
  agentCalls,
  type agentsAnswer,
} from '@atelier/contract/agents';
import { removalCalls } from '@atelier/contract/removal';
import { catalogueCalls } from '@atelier/contract/tools';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { z } from 'zod';
import { call } from '../../lib/http.ts';
import { refreshEach } from '../../lib/live/stale.ts';
import { PAGE_SIZES } from '../../lib/page-sizes.ts';
import { keys } from '../../lib/query.ts';

/** Walks every page, so that pickers show all agents and not the first fifty. */
async function fetchAgents(signal: AbortSignal): Promise<Agent[]> {
  const agents: Agent[] = [];
  let cursor: string | undefined;
  do {
    const query = { limit: PAGE_SIZES.agents, cursor };
    const page: z.infer<typeof agentsAnswer> = await call(agentCalls.list, { query, signal });
    agents.push(...page.agents);
    cursor = page.nextCursor ?? undefined;
  } while (cursor !== undefined);
  return agents;
}

/** The person's own agents, all of them. */
export const useAgents = () => useQuery({ queryKey: keys.agents, queryFn: ({ signal }) => fetchAgents(signal) });

/** The catalogue of tools; asked for only where the person may attach any. */
export const useTools = (enabled: boolean) =>
  useQuery({
    queryKey: keys.tools,
    queryFn: ({ signal }) => call(catalogueCalls.list, { signal }),
    enabled,
    select: (answer) => answer.tools,
  });

/** Creates an agent, or changes the one named by `agentId`; answers with the stored agent. */
export function useSaveAgent() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async (wanted: AgentCreate | { agentId: string; changes: AgentUpdate }) => {
      const answer = await ('changes' in wanted
        ? call(agentCalls.update, { params: { agentId: wanted.agentId }, body: wanted.changes })
        : call(agentCalls.create, { body: wanted }));
      return answer.agent;
    },
    onSuccess: (saved) => {
      queryClient.setQueryData<Agent[]>(keys.agents, (agents) =>
        agents?.some((a) => a.id === saved.id)
          ? agents.map((a) => (a.id === saved.id ? saved : a))
          : agents && [saved, ...agents],
      );
      refreshEach('agents', 'sessions');
    },
  });
}

/** Deletes an agent with its memories; its sessions stay readable. */
export function useDeleteAgent() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (agentId: string) => call(removalCalls.agent, { params: { agentId } }),
    onSuccess: (_, agentId) => {
      queryClient.setQueryData<Agent[]>(keys.agents, (agents) => agents?.filter((a) => a.id !== agentId));
      refreshEach('agents', 'sessions');
    },
  });
}
