import { searchAnswer } from '@atelier/contract/search';
import { useQuery } from '@tanstack/react-query';
import { request } from '../../lib/http.ts';
import { keys } from '../../lib/query.ts';

/** What fits the words typed so far; what was found before stays until the new is there. */
export const useSearch = (q: string, enabled: boolean) =>
  useQuery({
    queryKey: keys.search(q),
    queryFn: ({ signal }) =>
      request(searchAnswer, 'GET', `/api/search?${new URLSearchParams({ q })}`, undefined, { signal }),
    enabled: enabled && q !== '',
    placeholderData: (before) => (q === '' ? undefined : before),
    staleTime: 5_000,
  });
