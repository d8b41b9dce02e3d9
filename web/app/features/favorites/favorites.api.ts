import { SENTENCES } from '@atelier/contract/errors';
import type { PublicAgent } from '@atelier/contract/explore';
import { favoriteCalls } from '@atelier/contract/favorites';
import { useInfiniteQuery, useMutation } from '@tanstack/react-query';
import { ApiError, call } from '../../lib/http.ts';
import { refresh } from '../../lib/live/stale.ts';
import { keys, pagedQuery, queryClient } from '../../lib/query.ts';
import { toast } from '../../ui/overlay/toast.tsx';

type Address = Pick<PublicAgent, 'creatorId' | 'id'>;

/** The person's favorites that they may still see, latest first. */
export const useFavorites = () =>
  useInfiniteQuery(pagedQuery(keys.favorites, favoriteCalls.list, { query: { limit: 100 } }));

/** Adds or removes a favorite: at once on the screen, and reverted if the server refuses. */
export function useToggleFavorite() {
  const show = (at: Address, favorited: boolean) =>
    queryClient.setQueriesData({ queryKey: ['explore'] }, (data: unknown) =>
      mapPublicAgent(data, at, (agent) => withFavorite(agent, favorited)),
    );
  return useMutation({
    // One after another: an undo must not overtake what it undoes.
    scope: { id: 'favorites' },
    mutationFn: ({ favorited, creatorId, id }: Address & { favorited: boolean }) => {
      const params = { creatorId, agentId: id };
      return favorited ? call(favoriteCalls.add, { params }) : call(favoriteCalls.remove, { params });
    },
    onMutate: ({ favorited, ...at }) => void show(at, favorited),
    onSuccess: (_, { favorited }) => {
      if (favorited) toast.success(SENTENCES.favorited);
      refresh('favorites');
    },
    onError: (error, { favorited, ...at }) => {
      show(at, !favorited);
      const isTooMany = error instanceof ApiError && error.code === 'too_many_requests';
      toast.error(isTooMany ? error.message : SENTENCES.favoriteFailed);
    },
  });
}

/** The agent right after its reader added or removed a favorite; unchanged if it already says so. */
export function withFavorite(agent: PublicAgent, favorited: boolean): PublicAgent {
  if (agent.favorited === favorited) return agent;
  return { ...agent, favorited, favoriteCount: Math.max(0, agent.favoriteCount + (favorited ? 1 : -1)) };
}

/** A cached answer with every occurrence of one public agent replaced. */
export function mapPublicAgent<T>(
  data: T,
  at: { creatorId: string; id: string },
  change: (a: PublicAgent) => PublicAgent,
): T {
  if (Array.isArray(data)) return data.map((entry) => mapPublicAgent(entry, at, change)) as T;
  if (typeof data !== 'object' || data === null) return data;
  if (isPublicAgent(data)) return data.creatorId === at.creatorId && data.id === at.id ? (change(data) as T) : data;
  return Object.fromEntries(Object.entries(data).map(([key, value]) => [key, mapPublicAgent(value, at, change)])) as T;
}

const isPublicAgent = (value: object): value is PublicAgent & object => 'favorited' in value && 'creatorName' in value;
