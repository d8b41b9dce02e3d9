import { useDeferredValue, useEffect, useState } from 'react';
import { useAuth } from '../../lib/auth.tsx';
import { useSearch } from './search.api.ts';
import { groupResults } from './search-results.ts';

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
  const found = useSearch(q, isPro);
  const asked = typed.trim() !== '';
  return {
    q,
    asked,
    isPro,
    error: found.error,
    again: () => void found.refetch(),
    loaded: q === typed.trim() && !found.isFetching,
    groups: asked && isPro && found.data ? groupResults(found.data) : [],
    late: found.data?.meaning === 'late',
  };
}
