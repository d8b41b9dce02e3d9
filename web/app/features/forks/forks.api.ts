import { forkCalls, type UpstreamTake } from '@atelier/contract/forks';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { call } from '../../lib/http.ts';
import { keys } from '../../lib/query.ts';

/** How a copy stands to its original. */
export const useUpstream = (agentId: string) =>
  useQuery({
    queryKey: keys.upstream(agentId),
    queryFn: ({ signal }) => call(forkCalls.get, { params: { agentId }, signal }),
    select: (answer) => answer.upstream,
  });

/** Takes fields of the original over; answers with the agent as it is then. */
export function useTakeOver(agentId: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async (body: UpstreamTake) => (await call(forkCalls.take, { params: { agentId }, body })).agent,
    onSettled: () => queryClient.invalidateQueries({ queryKey: keys.agents }),
  });
}
