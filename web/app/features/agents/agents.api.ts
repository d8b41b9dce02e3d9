import { type Agent, type AgentCreate, type AgentUpdate, agentAnswer, agentsAnswer } from '@atelier/contract/agents';
import { removalCalls } from '@atelier/contract/removal';
import { toolsAnswer } from '@atelier/contract/tools';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { z } from 'zod';
import { call, request } from '../../lib/http.ts';
import { refreshEach } from '../../lib/live/stale.ts';
import { PAGE_SIZES } from '../../lib/page-sizes.ts';
import { keys } from '../../lib/query.ts';

const address = (agentId: string) => `/api/agents/${encodeURIComponent(agentId)}`;

/** Walks every page, so that pickers show all agents and not the first fifty. */
async function fetchAgents(signal: AbortSignal): Promise<Agent[]> {
  const agents: Agent[] = [];
  let cursor: string | null = null;
  do {
    const query = new URLSearchParams({ limit: `${PAGE_SIZES.agents}`, ...(cursor === null ? {} : { cursor }) });
    const page: z.infer<typeof agentsAnswer> = await request(agentsAnswer, 'GET', `/api/agents?${query}`, undefined, {
      signal,
    });
    agents.push(...page.agents);
    cursor = page.nextCursor;
  } while (cursor !== null);
  return agents;
}

/** The person's own agents, all of them. */
export const useAgents = () => useQuery({ queryKey: keys.agents, queryFn: ({ signal }) => fetchAgents(signal) });

/** The catalogue of tools; asked for only where the person may attach any. */
export const useTools = (enabled: boolean) =>
  useQuery({
    queryKey: keys.tools,
    queryFn: ({ signal }) => request(toolsAnswer, 'GET', '/api/tools', undefined, { signal }),
    enabled,
    select: (answer) => answer.tools,
  });

/** Creates an agent, or updates the one named by `agentId`; answers with the stored agent. */
export function useSaveAgent(agentId: string | undefined) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async (body: AgentCreate | AgentUpdate) =>
      agentId === undefined
        ? (await request(agentAnswer, 'POST', '/api/agents', body)).agent
        : (await request(agentAnswer, 'PUT', address(agentId), body)).agent,
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
