import { searchAnswer } from '@atelier/contract/search';
import { useQuery } from '@tanstack/react-query';
import { request } from '../../lib/http.ts';
import { keys } from '../../lib/query.ts';

/** Meaning that was late is asked for again so often, and so long after. */
const LATE = { times: 3, ms: 1_500 };

/** What fits the words typed so far; what was found before stays until the new is there. */
export const useSearch = (q: string, enabled: boolean) =>
  useQuery({
    queryKey: keys.search(q),
    queryFn: ({ signal }) =>
      request(searchAnswer, 'GET', `/api/search?${new URLSearchParams({ q })}`, undefined, { signal }),
    enabled: enabled && q !== '',
    placeholderData: (before) => (q === '' ? undefined : before),
    staleTime: 5_000,
    refetchInterval: ({ state }) =>
      state.data?.meaning === 'late' && state.dataUpdateCount <= LATE.times ? LATE.ms : false,
  });
