import type { QueuedMessage } from '@atelier/contract/runs';
import { queueCalls } from '@atelier/contract/runs/queue';
import { useMutation, useQuery } from '@tanstack/react-query';
import { call } from '../../../lib/http.ts';
import { refresh } from '../../../lib/live/stale.ts';
import { keys, queryClient } from '../../../lib/query.ts';

/** The messages that wait in a session, in the order in which they are sent. */
export const useQueue = (sessionId: string) =>
  useQuery({
    queryKey: keys.queue(sessionId),
    queryFn: async ({ signal }) => (await call(queueCalls.list, { params: { sessionId }, signal })).queue,
  });

/** Shows a message that the server has just put into the queue, before a list contains it. */
export function showQueued(queued: QueuedMessage): void {
  const { id, sessionId, state } = queued;
  const isHere = (list: QueuedMessage[]) => list.some((one) => one.id === id);
  const waits = state === 'waiting' || state === 'paused';
  queryClient.setQueryData<QueuedMessage[]>(
    keys.queue(sessionId),
    (list) => list && (isHere(list) || !waits ? list : [...list, queued]),
  );
  refresh('queue', sessionId);
}

/** Changes the words of a waiting message. */
export const useEditQueued = (sessionId: string) =>
  useMutation({
    mutationFn: ({ id: queuedId, ...body }: { id: string; inputText: string }) =>
      call(queueCalls.edit, { params: { sessionId, queuedId }, body }),
    onSettled: () => refresh('queue', sessionId),
  });

/** What this page removed; everything else that leaves the queue was sent. */
export const removedHere = new Set<string>();

/** One after another: an undo must not overtake the removal. */
const inOrder = (sessionId: string) => ({ scope: { id: `queue ${sessionId}` } });

/** Takes messages out of the queue, from its end; `restore` puts them back. */
export const useRemoveQueued = (sessionId: string) =>
  useMutation({
    ...inOrder(sessionId),
    mutationFn: async (ids: readonly string[]) => {
      for (const queuedId of ids.toReversed()) {
        removedHere.add(queuedId);
        await call(queueCalls.remove, { params: { sessionId, queuedId } });
      }
    },
    onSettled: () => refresh('queue', sessionId),
  });

export const useRestoreQueued = (sessionId: string) =>
  useMutation({
    ...inOrder(sessionId),
    mutationFn: async (ids: readonly string[]) => {
      for (const queuedId of ids) await call(queueCalls.restore, { params: { sessionId, queuedId } });
    },
    onSettled: () => refresh('queue', sessionId),
  });

/** Lets a paused queue go on. */
export const useSendQueue = (sessionId: string) =>
  useMutation({
    mutationFn: () => call(queueCalls.send, { params: { sessionId } }),
    onSettled: () => {
      refresh('queue', sessionId);
      refresh('tasks', sessionId);
    },
  });
