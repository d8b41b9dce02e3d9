import { type Agent, type AgentCreate, type AgentUpdate, agentCalls } from '@atelier/contract/agents';
import { removalCalls } from '@atelier/contract/removal';
import { catalogueCalls } from '@atelier/contract/tools';
import { useMutation, useQuery } from '@tanstack/react-query';
import { call, fetchPages } from '../../lib/http.ts';
import { refreshEach } from '../../lib/live/stale.ts';
import { PAGE_SIZES } from '../../lib/page-sizes.ts';
import { callQuery, keys, queryClient } from '../../lib/query.ts';

const fetchAgents = async (signal: AbortSignal): Promise<Agent[]> => {
  const { agents: limit } = PAGE_SIZES;
  const pages = await fetchPages((cursor) => call(agentCalls.list, { query: { limit, cursor }, signal }));
  return pages.flatMap((page) => page.agents);
};

/** The person's own agents, all of them: pickers show more than the first fifty. */
export const useAgents = (enabled = true) =>
  useQuery({ queryKey: keys.agents, queryFn: ({ signal }) => fetchAgents(signal), enabled });

/** The catalogue of tools; asked for only where the person may attach any. */
export const useTools = (enabled: boolean) =>
  useQuery({ ...callQuery(keys.tools, catalogueCalls.list), enabled, select: (answer) => answer.tools });

/** Creates an agent, or changes the one named by `agentId`; answers with the stored agent. */
export const useSaveAgent = () =>
  useMutation({
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

/** Deletes an agent with its memories; its sessions stay readable. */
export const useDeleteAgent = () =>
  useMutation({
    mutationFn: (agentId: string) => call(removalCalls.agent, { params: { agentId } }),
    onSuccess: (_, agentId) => {
      queryClient.setQueryData<Agent[]>(keys.agents, (agents) => agents?.filter((a) => a.id !== agentId));
      refreshEach('agents', 'sessions');
    },
  });
