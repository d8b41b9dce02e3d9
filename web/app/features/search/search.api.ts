import { searchCalls } from '@atelier/contract/search';
import { useQuery } from '@tanstack/react-query';
import { call } from '../../lib/http.ts';
import { keys, lookAgain } from '../../lib/query.ts';

/** Results for the text typed so far; earlier results stay until new ones arrive. */
export const useSearch = (q: string, enabled: boolean) =>
  useQuery({
    queryKey: keys.search(q),
    queryFn: ({ signal }) => call(searchCalls.search, { query: { q }, signal }),
    enabled: enabled && q !== '',
    placeholderData: (before) => (q === '' ? undefined : before),
    staleTime: 5_000,
    refetchInterval: ({ state }) => lookAgain(state.data?.meaning === 'late', state.dataUpdateCount),
  });
