import { SENTENCES } from '@atelier/contract/errors';
import type { PublicAgent } from '@atelier/contract/explore';
import { favoriteCalls } from '@atelier/contract/favorites';
import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { ApiError, call } from '../../lib/http.ts';
import { refresh } from '../../lib/live/stale.ts';
import { keys } from '../../lib/query.ts';
import { toast } from '../../ui/overlay/toast.tsx';
import { mapPublicAgent, withFavorite } from './favorites-cache.ts';

type Address = Pick<PublicAgent, 'creatorId' | 'id'>;

/** The person's favorites that they may still see, latest first. */
export const useFavorites = () =>
  useInfiniteQuery({
    queryKey: keys.favorites,
    queryFn: ({ pageParam, signal }) =>
      call(favoriteCalls.list, { query: { limit: 100, cursor: pageParam || undefined }, signal }),
    initialPageParam: '',
    getNextPageParam: (page) => page.nextCursor,
  });

/** Adds or removes a favorite: at once on the screen, and reverted if the server refuses. */
export function useToggleFavorite() {
  const queryClient = useQueryClient();
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
