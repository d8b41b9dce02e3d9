import { exploreCalls, type PublicAgent } from '@atelier/contract/explore';
import { type QueryClient, useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { call } from '../../lib/http.ts';
import { subscribeChange } from '../../lib/live/live-events.ts';
import { refreshEach } from '../../lib/live/stale.ts';
import { keys } from '../../lib/query.ts';
import { type ExplorePages, placeAgent } from './explore-pages.ts';

const PAGE = 24;
/** More changes than this within `PATCH_AFTER_MS` and the list is fetched again rather than agent by agent. */
const BURST = 20;
const PATCH_AFTER_MS = 250;

/** Public agents, most favorites first, of one tag unless it is empty. */
export const useExplore = (tag: string) =>
  useInfiniteQuery({
    queryKey: keys.explore(tag),
    queryFn: ({ pageParam, signal }) => {
      const query = { limit: PAGE, tag: tag || undefined, cursor: pageParam || undefined };
      return call(exploreCalls.list, { query, signal });
    },
    initialPageParam: '',
    getNextPageParam: (page) => page.nextCursor,
    refetchOnMount: 'always',
  });

const fetchPublicAgent = async (creatorId: string, agentId: string, signal?: AbortSignal) =>
  (await call(exploreCalls.get, { params: { creatorId, agentId }, signal })).agent;

/** One public agent, at once where the list holds it already. */
export function usePublicAgent(creatorId: string, agentId: string) {
  const queryClient = useQueryClient();
  return useQuery({
    queryKey: keys.publicAgent(creatorId, agentId),
    queryFn: ({ signal }) => fetchPublicAgent(creatorId, agentId, signal),
    placeholderData: () => findListed(queryClient, creatorId, agentId),
  });
}

function findListed(queryClient: QueryClient, creatorId: string, agentId: string): PublicAgent | undefined {
  return queryClient
    .getQueriesData<ExplorePages>({ queryKey: ['explore', 'list'] })
    .flatMap(([, data]) => data?.pages.flatMap((page) => page.agents) ?? [])
    .find((agent) => agent.creatorId === creatorId && agent.id === agentId);
}

/** Keeps the loaded list as it is on the server: each notice fetches the one agent that it names and puts it in its place. */
export function useLiveExplore(tag: string) {
  const queryClient = useQueryClient();
  useEffect(() => {
    const changed = new Set<string>();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const patch = () => {
      const ids = [...changed];
      changed.clear();
      timer = undefined;
      if (ids.length > BURST) void queryClient.invalidateQueries({ queryKey: keys.explore(tag) });
      else for (const id of ids) void patchListed(queryClient, tag, id);
    };
    const stop = subscribeChange(({ topic, id }) => {
      if (topic !== 'explore' || id === '') return;
      changed.add(id);
      timer ??= setTimeout(patch, PATCH_AFTER_MS);
    });
    return () => {
      stop();
      clearTimeout(timer);
    };
  }, [queryClient, tag]);
}

async function patchListed(queryClient: QueryClient, tag: string, id: string) {
  const [creatorId = '', agentId = ''] = id.split(/\/(.*)/su, 2);
  try {
    const { agents } = await call(exploreCalls.list, { query: { only: id } });
    const agent = agents[0] ?? null;
    queryClient.setQueryData<ExplorePages>(
      keys.explore(tag),
      (data) => data && placeAgent(data, { creatorId, agentId, agent, tag }),
    );
  } catch {
    void queryClient.invalidateQueries({ queryKey: keys.explore(tag) });
  }
}

/** Copies a public agent into one's own; answers with the copy. */
export function useCopyAgent() {
  return useMutation({
    mutationFn: async ({ creatorId, id }: Pick<PublicAgent, 'creatorId' | 'id'>) =>
      (await call(exploreCalls.copy, { params: { creatorId, agentId: id } })).agent,
    onSuccess: () => refreshEach('agents', 'account'),
  });
}
