import { uuid } from '@atelier/contract/ids';
import { allSessions, type Selection, selectSession } from './session-pages.ts';
import { useSession, useSessions } from './sessions.api.ts';

/** The session that `?sessionId=` selects: from the list, otherwise asked for by itself; `retry` after a failure. */
export function useSelection(sessionId: string | null): Selection & { error: Error | null; retry: () => void } {
  const sessions = useSessions();
  const listed = allSessions(sessions.data?.pages ?? []).find((session) => session.id === sessionId);
  const isId = uuid.safeParse(sessionId).success;
  const isListKnown = sessions.isSuccess && !sessions.isFetching;
  const one = useSession(sessionId ?? '', isId && listed === undefined && (isListKnown || sessions.isError));
  const selection = selectSession(sessionId, {
    session: listed ?? one.data ?? undefined,
    settled: isListKnown && (!isId || (one.isSuccess && !one.isFetching)),
    failed: (sessions.isError && !sessions.isFetching && !one.isSuccess) || (one.isError && !one.isFetching),
  });
  const retry = () => void (one.isError ? one.refetch() : sessions.refetch());
  return { ...selection, error: one.error ?? sessions.error, retry };
}
