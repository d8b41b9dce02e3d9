import { type Session, type SessionCreate, sessionAnswer, sessionsAnswer } from '@atelier/contract/sessions';
import { type InfiniteData, useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { z } from 'zod';
import { request } from '../../lib/http.ts';
import { refresh } from '../../lib/live/stale.ts';
import { PAGE_SIZES } from '../../lib/page-sizes.ts';
import { keys } from '../../lib/query.ts';
import { dropSession, renameSession, type SessionPage } from './session-pages.ts';

type Cached = InfiniteData<SessionPage, string>;

/** The person's sessions, newest first, a page at a time. */
export function useSessions() {
  return useInfiniteQuery({
    queryKey: keys.sessions,
    queryFn: ({ pageParam, signal }) => {
      const query = new URLSearchParams({
        limit: `${PAGE_SIZES.sessions}`,
        ...(pageParam === '' ? {} : { cursor: pageParam }),
      });
      return request(sessionsAnswer, 'GET', `/api/sessions?${query}`, undefined, { signal });
    },
    initialPageParam: '',
    getNextPageParam: (page) => page.nextCursor,
  });
}

/** Refetches what changes with the sessions: the list itself, and the count in the usage line. */
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
      queryClient.setQueryData<Cached>(keys.sessions, (data) => {
        const [first, ...rest] = data?.pages ?? [];
        if (!data || !first) return data;
        const others = first.sessions.filter((s) => s.id !== session.id);
        return { ...data, pages: [{ ...first, sessions: [session, ...others] }, ...rest] };
      });
      refreshSessions();
    },
  });
}

/** Renames at once on the screen, and reverts if the server refuses. */
export function useRenameSession() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async ({ id, name }: Pick<Session, 'id' | 'name'>) =>
      (await request(sessionAnswer, 'PATCH', `/api/sessions/${id}`, { name })).session,
    onMutate: async ({ id, name }) => {
      await queryClient.cancelQueries({ queryKey: keys.sessions });
      queryClient.setQueryData<Cached>(
        keys.sessions,
        (data) => data && { ...data, pages: renameSession(data.pages, id, name) },
      );
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: keys.sessions }),
  });
}

/** Deletes a session; for some seconds `useRestoreSession` brings it back. */
export function useDeleteSession() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => request(z.unknown(), 'DELETE', `/api/sessions/${id}`),
    onMutate: async (id) => {
      await queryClient.cancelQueries({ queryKey: keys.sessions });
      queryClient.setQueryData<Cached>(
        keys.sessions,
        (data) => data && { ...data, pages: dropSession(data.pages, id) },
      );
    },
    onSettled: refreshSessions,
  });
}

/** Restores a just deleted session; refused if the limit has been reached meanwhile. */
export function useRestoreSession() {
  return useMutation({
    mutationFn: (id: string) => request(z.unknown(), 'POST', `/api/sessions/${id}/restore`),
    onSettled: refreshSessions,
  });
}
