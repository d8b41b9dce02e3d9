import { removalCalls } from '@atelier/contract/removal';
import { SESSIONS_AT_ONCE, type Session, type SessionCreate, sessionCalls } from '@atelier/contract/sessions';
import { folderCalls } from '@atelier/contract/sessions/folders';
import { type InfiniteData, useInfiniteQuery, useMutation, useQuery } from '@tanstack/react-query';
import { call } from '../../lib/http.ts';
import { refresh, refreshEach, useChange } from '../../lib/live/stale.ts';
import { PAGE_SIZES } from '../../lib/page-sizes.ts';
import { callQuery, keys, queryClient } from '../../lib/query.ts';
import { toastError } from '../../lib/toast-error.ts';
import { toast } from '../../ui/overlay/toast.tsx';
import { changeInPages, dropSessions, type SessionChange, type SessionPage } from './session-pages.ts';
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
export const useSession = (sessionId: string, enabled: boolean) =>
  useQuery({
    queryKey: keys.session(sessionId),
    queryFn: async ({ signal }) =>
      (await call(sessionCalls.list, { query: { limit: 1, sessionId }, signal })).sessions[0] ?? null,
    placeholderData: () => findInLists(sessionId),
    enabled,
  });

function findInLists(sessionId: string): Session | undefined {
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
export const useCreateSession = () =>
  useMutation({
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

/** The person's folders, by name. */
export const useFolders = () =>
  useQuery({ ...callQuery(keys.folders, folderCalls.list), select: (answer) => answer.folders });

/** Creates a folder, or renames the one named by `id`. */
export const useSaveFolder = () =>
  useChange(
    async ({ id, name }: { id: string | undefined; name: string }) =>
      id === undefined
        ? (await call(folderCalls.create, { body: { name } })).folder
        : (await call(folderCalls.rename, { params: { folderId: id }, body: { name } })).folder,
    'sessions',
  );

/** Deletes a folder and says so; its sessions stay. A list that shows it returns to all sessions by itself. */
export function useFolderDeletion() {
  const deletion = useChange((folderId: string) => call(folderCalls.remove, { params: { folderId } }), 'sessions');
  return (id: string) =>
    deletion.mutateAsync(id).then(() => toast.success('Folder deleted. Its sessions are in the list.'), toastError);
}

/** Changes every cached list, before the server answers. */
async function patchLists(patch: (data: Cached, view: SessionView) => SessionPage[]) {
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

/** The second of two quick changes must not overtake the first, nor an undo what it undoes. Lists are fetched again when all are made. */
const IN_ORDER = { scope: { id: 'sessions' }, mutationKey: keys.sessions };

/** Renames, pins, archives or moves sessions at once on the screen, and reverts if the server refuses. */
export const useChangeSessions = () =>
  useMutation({
    ...IN_ORDER,
    mutationFn: async ({ ids, change }: { ids: readonly string[]; change: SessionChange }) => {
      for (const some of portions(ids)) {
        await call(sessionCalls.changeMany, { body: { ids: some, ...change } });
      }
    },
    onMutate: async ({ ids, change }) => {
      const all = new Set(ids);
      // Several get numbered names, which the server decides.
      const { name, ...rest } = change;
      const shown = ids.length === 1 && name !== undefined ? { ...rest, name } : rest;
      await patchLists((data, view) => changeInPages(data.pages, view, all, shown));
      for (const id of ids) {
        queryClient.setQueryData<Session | null>(keys.session(id), (session) => session && { ...session, ...shown });
      }
    },
    onSettled: () => refresh('sessions'),
  });

/** Deletes sessions; for some seconds `useRestoreSessions` brings them back. */
export const useDeleteSessions = () =>
  useMutation({
    ...IN_ORDER,
    mutationFn: async (ids: readonly string[]) => {
      for (const some of portions(ids)) await call(removalCalls.sessions, { body: { ids: some } });
    },
    onMutate: async (ids) => {
      const all = new Set(ids);
      await patchLists((data) => dropSessions(data.pages, all));
    },
    onSettled: refreshSessions,
  });

/** Restores just deleted sessions; refused if the limit has been reached meanwhile. */
export const useRestoreSessions = () =>
  useMutation({
    ...IN_ORDER,
    mutationFn: async (ids: readonly string[]) => {
      for (const some of portions(ids)) await call(sessionCalls.restoreMany, { body: { ids: some } });
    },
    onSettled: refreshSessions,
  });
