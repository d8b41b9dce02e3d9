import { exploreCalls, type PublicAgent, type ReportBody } from '@atelier/contract/explore';
import { keepPreviousData, useInfiniteQuery, useMutation, useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { call } from '../../lib/http.ts';
import { changeNotices } from '../../lib/live/live-events.ts';
import { refreshEach } from '../../lib/live/stale.ts';
import { PAGE_SIZES } from '../../lib/page-sizes.ts';
import { callQuery, keys, pagedQuery, queryClient } from '../../lib/query.ts';
import { useLatest } from '../../ui/list/use-latest.ts';
import { type ExplorePages, placeAgent } from './explore-pages.ts';

/** More changes than this within `PATCH_AFTER_MS` and the list is fetched again rather than agent by agent. */
const BURST = 20;
const PATCH_AFTER_MS = 250;

export const EXPLORE_FILTERS = ['q', 'tag', 'sort'] as const;
/** Empty ones don’t filter; `sort` is empty or “new”. */
export type ExploreFilters = Record<(typeof EXPLORE_FILTERS)[number], string>;

const queryOf = ({ q, tag, sort }: ExploreFilters) => ({
  q: q || undefined,
  tag: tag || undefined,
  sort: sort === 'new' ? ('new' as const) : undefined,
});

/** The public agents that the filters let through; what was shown before stays until they come. */
export const useExplore = (filters: ExploreFilters) =>
  useInfiniteQuery({
    ...pagedQuery(keys.explore(filters), exploreCalls.list, {
      query: { limit: PAGE_SIZES.explore, ...queryOf(filters) },
    }),
    refetchOnMount: 'always',
    placeholderData: keepPreviousData,
  });

/** The most used tags of popular public agents. */
export const usePublicTags = () =>
  useQuery({
    ...callQuery(keys.publicTags, exploreCalls.tags),
    select: (answer) => answer.tags,
    refetchOnMount: 'always',
  });

/** One public agent, at once where the list holds it already. */
export const usePublicAgent = (creatorId: string, agentId: string) =>
  useQuery({
    ...callQuery(keys.publicAgent(creatorId, agentId), exploreCalls.get, { params: { creatorId, agentId } }),
    placeholderData: () => findListed(creatorId, agentId),
    select: (answer) => answer.agent,
  });

function findListed(creatorId: string, agentId: string): { agent: PublicAgent } | undefined {
  const agent = queryClient
    .getQueriesData<ExplorePages>({ queryKey: ['explore', 'list'] })
    .flatMap(([, data]) => data?.pages.flatMap((page) => page.agents) ?? [])
    .find((one) => one.creatorId === creatorId && one.id === agentId);
  return agent && { agent };
}

/** Keeps the loaded list as it is on the server: each notice fetches the one agent that it names and puts it in its place. */
export function useLiveExplore(filters: ExploreFilters) {
  const latest = useLatest(filters);
  useEffect(() => {
    const changed = new Set<string>();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const patch = () => {
      const ids = [...changed];
      changed.clear();
      timer = undefined;
      if (ids.length > BURST) void queryClient.invalidateQueries({ queryKey: keys.explore(latest.current) });
      else for (const id of ids) void patchListed(latest.current, id);
    };
    const stop = changeNotices.subscribe(({ topic, id }) => {
      if (topic !== 'explore' || id === '') return;
      changed.add(id);
      timer ??= setTimeout(patch, PATCH_AFTER_MS);
    });
    return () => {
      stop();
      clearTimeout(timer);
    };
  }, [latest]);
}

async function patchListed(filters: ExploreFilters, id: string) {
  const [creatorId = '', agentId = ''] = id.split(/\/(.*)/su, 2);
  try {
    const { agents } = await call(exploreCalls.list, { query: { only: id, ...queryOf(filters) } });
    const agent = agents[0] ?? null;
    queryClient.setQueryData<ExplorePages>(
      keys.explore(filters),
      (data) => data && placeAgent(data, { creatorId, agentId, agent, isNewest: filters.sort === 'new' }),
    );
  } catch {
    void queryClient.invalidateQueries({ queryKey: keys.explore(filters) });
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

/** Reports a public agent to the operator. */
export const useReportAgent = ({ creatorId, id }: Pick<PublicAgent, 'creatorId' | 'id'>) =>
  useMutation({
    mutationFn: (body: ReportBody) => call(exploreCalls.report, { params: { creatorId, agentId: id }, body }),
  });
