import { type QueuedMessage, queueAnswer, queuedAnswer } from '@atelier/contract/composer/queue';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { z } from 'zod';
import { request } from '../../../lib/http.ts';
import { refresh } from '../../../lib/live/stale.ts';
import { keys } from '../../../lib/query.ts';

const address = (sessionId: string, more = '') => `/api/sessions/${encodeURIComponent(sessionId)}/queue${more}`;
const one = (sessionId: string, id: string, more = '') => address(sessionId, `/${encodeURIComponent(id)}${more}`);

/** The messages that wait in a session, in the order in which they are sent. */
export const useQueue = (sessionId: string) =>
  useQuery({
    queryKey: keys.queue(sessionId),
    queryFn: async ({ signal }) => (await request(queueAnswer, 'GET', address(sessionId), undefined, { signal })).queue,
  });

/** Puts a message at the end; the same key puts it there once. Throws `ApiError`. */
export function useQueueMessage(sessionId: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async ({
      key,
      inputText,
      attachmentIds,
    }: {
      key: string;
      inputText: string;
      attachmentIds: string[];
    }) => {
      const headers = { 'Idempotency-Key': key };
      return (await request(queuedAnswer, 'POST', address(sessionId), { inputText, attachmentIds }, { headers }))
        .queued;
    },
    onSuccess: (queued) => {
      const isHere = (list: QueuedMessage[]) => list.some(({ id }) => id === queued.id);
      const waits = queued.state === 'waiting' || queued.state === 'paused';
      queryClient.setQueryData<QueuedMessage[]>(
        keys.queue(sessionId),
        (list) => list && (isHere(list) || !waits ? list : [...list, queued]),
      );
      refresh('queue', sessionId);
    },
    retry: false,
  });
}

/** Changes the words of a waiting message. */
export const useEditQueued = (sessionId: string) =>
  useMutation({
    mutationFn: ({ id, inputText }: { id: string; inputText: string }) =>
      request(queuedAnswer, 'PATCH', one(sessionId, id), { inputText }),
    onSettled: () => refresh('queue', sessionId),
  });

/** What this page removed; everything else that leaves the queue was sent. */
export const removedHere = new Set<string>();

/** Takes messages out of the queue, from its end; `restore` puts them back. */
export const useRemoveQueued = (sessionId: string) =>
  useMutation({
    mutationFn: async (ids: readonly string[]) => {
      for (const id of ids.toReversed()) {
        removedHere.add(id);
        await request(z.unknown(), 'DELETE', one(sessionId, id));
      }
    },
    onSettled: () => refresh('queue', sessionId),
  });

export const useRestoreQueued = (sessionId: string) =>
  useMutation({
    mutationFn: async (ids: readonly string[]) => {
      for (const id of ids) await request(queuedAnswer, 'POST', one(sessionId, id, '/restore'));
    },
    onSettled: () => refresh('queue', sessionId),
  });

/** Lets a paused queue go on. */
export const useSendQueue = (sessionId: string) =>
  useMutation({
    mutationFn: () => request(queueAnswer, 'POST', address(sessionId, '/send')),
    onSettled: () => {
      refresh('queue', sessionId);
      refresh('tasks', sessionId);
    },
  });
