import { removalCalls } from '@atelier/contract/removal';
import { SESSIONS_AT_ONCE, type Session, sessionCalls } from '@atelier/contract/sessions';
import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '../../lib/http.ts';
import { refresh } from '../../lib/live/stale.ts';
import { keys } from '../../lib/query.ts';
import { changeInPages, dropSessions, type SessionChange, type SessionPage } from './session-pages.ts';
import type { SessionView } from './session-view.ts';
import { type Cached, refreshSessions } from './sessions.api.ts';

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

/** The second of two quick changes must not overtake the first, nor an undo what it undoes. Lists are fetched again when all are made. */
const IN_ORDER = { scope: { id: 'sessions' }, mutationKey: keys.sessions };

/** Renames, pins, archives or moves sessions at once on the screen, and reverts if the server refuses. */
export function useChangeSessions() {
  const queryClient = useQueryClient();
  return useMutation({
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
    ...IN_ORDER,
    mutationFn: async (ids: readonly string[]) => {
      for (const some of portions(ids)) await call(removalCalls.sessions, { body: { ids: some } });
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
    ...IN_ORDER,
    mutationFn: async (ids: readonly string[]) => {
      for (const some of portions(ids)) await call(sessionCalls.restoreMany, { body: { ids: some } });
    },
    onSettled: refreshSessions,
  });
}
