import { searchCalls } from '@atelier/contract/search';
import { useQuery } from '@tanstack/react-query';
import { useDeferredValue, useEffect, useState } from 'react';
import { useAuth } from '../../lib/auth.tsx';
import { callQuery, keys, lookAgain } from '../../lib/query.ts';
import { groupResults } from './search-results.ts';

/** Results for the text typed so far; earlier results stay until new ones arrive. */
export const useSearch = (q: string, enabled: boolean) =>
  useQuery({
    ...callQuery(keys.search(q), searchCalls.search, { query: { q } }),
    enabled: enabled && q !== '',
    placeholderData: (before) => (q === '' ? undefined : before),
    staleTime: 5_000,
    refetchInterval: ({ state }) => lookAgain(state.data?.meaning === 'late', state.dataUpdateCount),
  });

const REST_MS = 120;

/** The typed text, after a short pause. */
function useRested(typed: string): string {
  const [rested, setRested] = useState('');
  useEffect(() => {
    const timer = setTimeout(() => setRested(typed.trim()), REST_MS);
    return () => clearTimeout(timer);
  }, [typed]);
  return useDeferredValue(rested);
}

/** A search and how it goes. */
export type TypedSearch = ReturnType<typeof useTypedSearch>;

/** The results for the typed text, after a short pause. */
export function useTypedSearch(typed: string) {
  const isPro = useAuth().me?.account.subscriptionStatus === 'pro';
  const q = useRested(typed);
  const results = useSearch(q, isPro);
  const hasQuery = typed.trim() !== '';
  return {
    q,
    hasQuery,
    isPro,
    error: results.error,
    again: () => void results.refetch(),
    loaded: q === typed.trim() && !results.isFetching,
    groups: hasQuery && isPro && results.data ? groupResults(results.data) : [],
    late: results.data?.meaning === 'late',
  };
}
