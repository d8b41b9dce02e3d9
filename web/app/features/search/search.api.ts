import { searchCalls } from '@atelier/contract/search';
import { useQuery } from '@tanstack/react-query';
import { call } from '../../lib/http.ts';
import { keys } from '../../lib/query.ts';

/** How often, and after how long, to retry when the search by meaning was late. */
const LATE = { times: 3, ms: 1_500 };

/** Results for the text typed so far; earlier results stay until new ones arrive. */
export const useSearch = (q: string, enabled: boolean) =>
  useQuery({
    queryKey: keys.search(q),
    queryFn: ({ signal }) => call(searchCalls.search, { query: { q }, signal }),
    enabled: enabled && q !== '',
    placeholderData: (before) => (q === '' ? undefined : before),
    staleTime: 5_000,
    refetchInterval: ({ state }) =>
      state.data?.meaning === 'late' && state.dataUpdateCount <= LATE.times ? LATE.ms : false,
  });
