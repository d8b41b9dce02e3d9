import { useEffect } from 'react';
import { allSessions, type Selection, selectSession } from './session-pages.ts';
import { useSessions } from './sessions.api.ts';

/** The session that `?sessionId=` selects; loads older pages until it is found, or until `retry` after a failure. */
export function useSelection(sessionId: string | null): Selection & { error: Error | null; retry: () => void } {
  const sessions = useSessions();
  const { data, isSuccess, isError, isFetching, isFetchNextPageError, hasNextPage, fetchNextPage } = sessions;
  const selection = selectSession(sessionId, {
    sessions: allSessions(data?.pages ?? []),
    loaded: isSuccess && !isFetching,
    failed: isError && !isFetching,
    hasMore: hasNextPage,
  });
  const goOn = selection.state === 'loading' && hasNextPage && !isFetching && !isFetchNextPageError;
  useEffect(() => {
    if (goOn) void fetchNextPage();
  }, [goOn, fetchNextPage]);
  const retry = () => void (isFetchNextPageError ? fetchNextPage() : sessions.refetch());
  return { ...selection, error: sessions.error, retry };
}
