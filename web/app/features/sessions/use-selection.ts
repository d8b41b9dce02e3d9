import { useEffect } from 'react';
import { allSessions, type Selection, selectSession } from './session-pages.ts';
import { useSessions } from './sessions.api.ts';

/** What `?sessionId=` selects; older pages of the list are fetched until it is found. */
export function useSelection(sessionId: string | null): Selection {
  const { data, isSuccess, isFetching, isFetchNextPageError, hasNextPage, fetchNextPage } = useSessions();
  const selection = selectSession(sessionId, {
    sessions: allSessions(data?.pages ?? []),
    settled: isSuccess && !isFetching,
    hasMore: hasNextPage,
  });
  const goOn = selection.state === 'loading' && hasNextPage && !isFetching && !isFetchNextPageError;
  useEffect(() => {
    if (goOn) void fetchNextPage();
  }, [goOn, fetchNextPage]);
  return selection;
}
