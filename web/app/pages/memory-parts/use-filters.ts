import { useCallback } from 'react';
import { useSearchParams } from 'react-router';
import type { MemoryFilters as Filters } from '../../features/memory/memory.api.ts';

/** The filters in the address, and how to change them. */
export function useFilters() {
  const [search, setSearch] = useSearchParams();
  const read = (name: keyof Filters) => search.get(name) ?? '';
  const filters: Filters = {
    agentId: read('agentId'),
    sessionId: read('sessionId'),
    kind: read('kind'),
    pinned: read('pinned'),
    q: read('q'),
  };
  const change = useCallback(
    (part: Partial<Filters>) =>
      setSearch(
        (before) => {
          const next = new URLSearchParams(before);
          for (const [name, value] of Object.entries(part)) {
            if (value === '') next.delete(name);
            else next.set(name, value);
          }
          return next;
        },
        { replace: true },
      ),
    [setSearch],
  );
  return { filters, change };
}
