import { forkCalls, type UpstreamTake } from '@atelier/contract/forks';
import { useMutation, useQuery } from '@tanstack/react-query';
import { call } from '../../lib/http.ts';
import { callQuery, keys, queryClient } from '../../lib/query.ts';

/** How a copy stands to its original. */
export const useUpstream = (agentId: string) =>
  useQuery({
    ...callQuery(keys.upstream(agentId), forkCalls.get, { params: { agentId } }),
    select: (answer) => answer.upstream,
  });

/** Takes fields of the original over; answers with the agent as it is then. */
export const useTakeOver = (agentId: string) =>
  useMutation({
    mutationFn: async (body: UpstreamTake) => (await call(forkCalls.take, { params: { agentId }, body })).agent,
    onSettled: () => queryClient.invalidateQueries({ queryKey: keys.agents }),
  });
