import {
  changedSessionsAnswer,
  deletedSessionsAnswer,
  SESSIONS_AT_ONCE,
  type Session,
  type SessionCreate,
  sessionAnswer,
  sessionsAnswer,
} from '@atelier/contract/sessions';
import {
  type InfiniteData,
  type QueryClient,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { request } from '../../lib/http.ts';
import { refresh } from '../../lib/live/stale.ts';
import { PAGE_SIZES } from '../../lib/page-sizes.ts';
import { keys } from '../../lib/query.ts';
import { changeInPages, dropSessions, type SessionChange, type SessionPage } from './session-pages.ts';
import { MAIN_VIEW, type SessionView, viewFilters } from './session-view.ts';

type Cached = InfiniteData<SessionPage, string>;

/** Pages after the first are larger: a person who reads on has many. */
const LATER_PAGE = 200;

const fetchPage = (filters: Record<string, string>, signal?: AbortSignal) =>
  request(sessionsAnswer, 'GET', `/api/sessions?${new URLSearchParams(filters)}`, undefined, signal ? { signal } : {});

/** The sessions of a view, a page at a time. */
export function useSessions(view: SessionView = MAIN_VIEW) {
  return useInfiniteQuery({
    queryKey: keys.sessionList(view),
    queryFn: ({ pageParam, signal }) => {
      const limit = pageParam === '' ? PAGE_SIZES.sessions : LATER_PAGE;
      const cursor = pageParam === '' ? undefined : { cursor: pageParam };
      return fetchPage({ limit: `${limit}`, ...viewFilters(view), ...cursor }, signal);
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
    queryFn: async ({ signal }) => (await fetchPage({ limit: '1', sessionId }, signal)).sessions[0] ?? null,
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
  const { sessions } = await fetchPage({ limit: '50', agentId });
  return sessions.toSorted((a, b) => b.createdAt.localeCompare(a.createdAt))[0];
};

/** Refetches what changes with the sessions: the lists themselves, and the count in the usage line. */
function refreshSessions() {
  refresh('sessions');
  refresh('account');
}

/** Starts a session with an agent; a free account at its limit gets the refusal's own sentence. */
export function useCreateSession() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async (body: SessionCreate) => (await request(sessionAnswer, 'POST', '/api/sessions', body)).session,
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

/** Changes every cached list, before the server answers. */
async function patchLists(queryClient: QueryClient, patch: (data: Cached, view: SessionView) => SessionPage[]) {
  await queryClient.cancelQueries({ queryKey: keys.sessions });
  for (const [key, data] of queryClient.getQueriesData<Cached>({ queryKey: keys.allSessionLists })) {
    const view: unknown = key[2];
    if (data && isView(view)) queryClient.setQueryData<Cached>(key, { ...data, pages: patch(data, view) });
  }
}

const isView = (value: unknown): value is SessionView =>
  typeof value === 'object' && value !== null && 'place' in value && 'agentId' in value;

function* portions(ids: readonly string[]) {
  for (let from = 0; from < ids.length; from += SESSIONS_AT_ONCE) yield ids.slice(from, from + SESSIONS_AT_ONCE);
}

/** Renames, pins, archives or moves sessions at once on the screen, and reverts if the server refuses. */
export function useChangeSessions() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async ({ ids, change }: { ids: readonly string[]; change: SessionChange }) => {
      for (const some of portions(ids)) {
        await request(changedSessionsAnswer, 'PATCH', '/api/sessions', { ids: some, ...change });
      }
    },
    onMutate: async ({ ids, change }) => {
      const all = new Set(ids);
      // Several get numbered names, which the server decides.
      const { name, ...rest } = change;
      const shown = ids.length === 1 && name !== undefined ? { ...rest, name } : rest;
      await patchLists(queryClient, (data, view) => changeInPages(data.pages, view, all, shown));
      for (const id of ids) {
        queryClient.setQueryData<Session | null>(keys.session(id), (session) => session && { ...session, ...shown });
      }
    },
    onSettled: () => refresh('sessions'),
  });
}

/** Deletes sessions; for some seconds `useRestoreSessions` brings them back. */
export function useDeleteSessions() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async (ids: readonly string[]) => {
      for (const some of portions(ids)) await request(deletedSessionsAnswer, 'DELETE', '/api/sessions', { ids: some });
    },
    onMutate: async (ids) => {
      const all = new Set(ids);
      await patchLists(queryClient, (data) => dropSessions(data.pages, all));
    },
    onSettled: refreshSessions,
  });
}

/** Restores just deleted sessions; refused if the limit has been reached meanwhile. */
export function useRestoreSessions() {
  return useMutation({
    mutationFn: async (ids: readonly string[]) => {
      for (const some of portions(ids)) {
        await request(changedSessionsAnswer, 'POST', '/api/sessions/restore', { ids: some });
      }
    },
    onSettled: refreshSessions,
  });
}
