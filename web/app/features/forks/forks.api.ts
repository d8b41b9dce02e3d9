import { agentAnswer } from '@atelier/contract/agents';
import { type UpstreamTake, upstreamAnswer } from '@atelier/contract/forks';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { request } from '../../lib/http.ts';
import { keys } from '../../lib/query.ts';

const address = (agentId: string) => `/api/agents/${encodeURIComponent(agentId)}/upstream`;

/** How a copy stands to its original. */
export const useUpstream = (agentId: string) =>
  useQuery({
    queryKey: keys.upstream(agentId),
    queryFn: ({ signal }) => request(upstreamAnswer, 'GET', address(agentId), undefined, { signal }),
    select: (answer) => answer.upstream,
  });

/** Takes fields of the original over; answers with the agent as it is then. */
export function useTakeOver(agentId: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async (body: UpstreamTake) => (await request(agentAnswer, 'POST', address(agentId), body)).agent,
    onSettled: () => queryClient.invalidateQueries({ queryKey: keys.agents }),
  });
}
