import { type Session, type SessionCreate, sessionCalls } from '@atelier/contract/sessions';
import {
  type InfiniteData,
  type QueryClient,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { call } from '../../lib/http.ts';
import { refreshEach } from '../../lib/live/stale.ts';
import { PAGE_SIZES } from '../../lib/page-sizes.ts';
import { keys } from '../../lib/query.ts';
import type { SessionPage } from './session-pages.ts';
import { MAIN_VIEW, type SessionView, viewFilters } from './session-view.ts';

export type Cached = InfiniteData<SessionPage, string>;

/** Pages after the first are larger: a person who reads on has many. */
const LATER_PAGE = 200;

/** The sessions of a view, a page at a time. */
export function useSessions(view: SessionView = MAIN_VIEW) {
  return useInfiniteQuery({
    queryKey: keys.sessionList(view),
    queryFn: ({ pageParam, signal }) => {
      const limit = pageParam === '' ? PAGE_SIZES.sessions : LATER_PAGE;
      const cursor = pageParam === '' ? undefined : { cursor: pageParam };
      return call(sessionCalls.list, { query: { limit, ...viewFilters(view), ...cursor }, signal });
    },
    initialPageParam: '',
    getNextPageParam: (page) => page.nextCursor,
  });
}

/** One session, wherever it is; null when there is none. What a list already shows is shown meanwhile. */
export function useSession(sessionId: string, enabled: boolean) {
  const queryClient = useQueryClient();
  return useQuery({
    queryKey: keys.session(sessionId),
    queryFn: async ({ signal }) =>
      (await call(sessionCalls.list, { query: { limit: 1, sessionId }, signal })).sessions[0] ?? null,
    placeholderData: () => findInLists(queryClient, sessionId),
    enabled,
  });
}

function findInLists(queryClient: QueryClient, sessionId: string): Session | undefined {
  const lists = queryClient.getQueriesData<Cached>({ queryKey: keys.allSessionLists });
  const pages = lists.flatMap(([, data]) => data?.pages ?? []);
  return pages.flatMap((page) => page.sessions).find((session) => session.id === sessionId);
}

/** The latest session with an agent, archived ones aside; undefined when there is none. */
export const fetchLatestSession = async (agentId: string): Promise<Session | undefined> => {
  const { sessions } = await call(sessionCalls.list, { query: { limit: 50, agentId } });
  return sessions.toSorted((a, b) => b.createdAt.localeCompare(a.createdAt))[0];
};

/** Refetches what changes with the sessions: the lists themselves, and the count in the usage line. */
export function refreshSessions() {
  refreshEach('sessions', 'account');
}

/** Starts a session with an agent, once for each key; a free account at its limit gets the refusal's own sentence. */
export function useCreateSession() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async ({ key, ...body }: SessionCreate & { key: string }) =>
      (await call(sessionCalls.create, { body, headers: { 'Idempotency-Key': key } })).session,
    onSuccess: (session) => {
      // Shown before the list is refetched, so that the new address doesn't look unknown.
      queryClient.setQueryData<Session>(keys.session(session.id), session);
      queryClient.setQueryData<Cached>(keys.sessionList(MAIN_VIEW), (data) => {
        const [first, ...rest] = data?.pages ?? [];
        if (!data || !first) return data;
        const others = first.sessions.filter((s) => s.id !== session.id);
        return { ...data, pages: [{ ...first, sessions: [session, ...others] }, ...rest] };
      });
      refreshSessions();
    },
  });
}
