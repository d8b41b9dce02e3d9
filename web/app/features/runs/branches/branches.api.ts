import { removalCalls } from '@atelier/contract/removal';
import { taskCalls } from '@atelier/contract/runs';
import { useMutation } from '@tanstack/react-query';
import { call } from '../../../lib/http.ts';
import { refresh } from '../../../lib/live/stale.ts';
import { keys, queryClient } from '../../../lib/query.ts';
import { startingRun } from '../run-failure.ts';
import { useTaskCall } from '../runs.api.ts';
import { dropTask, type TaskPages } from '../task-patches.ts';

/** Sends other words in place of a message. The same `key` is answered once. Throws `ApiError`. */
export const useEditMessage = (sessionId: string) =>
  useTaskCall(({ taskId, inputText, key }: { taskId: string; inputText: string; key: string }) =>
    startingRun(
      call(taskCalls.edit, {
        params: { sessionId, taskId },
        body: { inputText },
        headers: { 'Idempotency-Key': key },
      }),
    ),
  );

/** Has a message answered once more, by another model if one is named. */
export const useRegenerate = (sessionId: string) =>
  useTaskCall(({ taskId, model }: { taskId: string; model?: string | undefined }) =>
    // Without a model, JSON leaves the field out.
    startingRun(call(taskCalls.regenerate, { params: { sessionId, taskId }, body: { model } })),
  );

/** Leads the session's path through a task; resolves once that path is on the screen. */
export const useChoose = (sessionId: string) =>
  useMutation({
    mutationFn: (taskId: string) => call(taskCalls.choose, { params: { sessionId, taskId } }),
    // Also after a refusal: another tab may have changed the path.
    onSettled: () => queryClient.invalidateQueries({ queryKey: keys.tasks(sessionId) }),
    onSuccess: () => refresh('facts'),
  });

/** One after another: an undo must not overtake its deletion. */
const inOrder = (sessionId: string) => ({ scope: { id: `exchanges ${sessionId}` } });

/** Deletes one exchange; for some seconds `useRestoreTask` brings it back. */
export function useDeleteTask(sessionId: string) {
  const queryKey = keys.tasks(sessionId);
  return useMutation({
    ...inOrder(sessionId),
    mutationFn: (taskId: string) => call(removalCalls.task, { params: { sessionId, taskId } }),
    onMutate: async (taskId) => {
      await queryClient.cancelQueries({ queryKey });
      queryClient.setQueryData<TaskPages>(queryKey, (data) => data && dropTask(data, taskId));
    },
    onSettled: () => refresh('tasks', sessionId),
  });
}

export const useRestoreTask = (sessionId: string) =>
  useMutation({
    ...inOrder(sessionId),
    mutationFn: (taskId: string) => call(taskCalls.restore, { params: { sessionId, taskId } }),
    onSettled: () => refresh('tasks', sessionId),
  });

/** Opens a new session with a copy of everything up to a task; resolves once the list of sessions has it. */
export const useContinue = (sessionId: string) =>
  useMutation({
    mutationFn: async (taskId: string) => (await call(taskCalls.continue, { params: { sessionId, taskId } })).session,
    onSuccess: async () => {
      void queryClient.invalidateQueries({ queryKey: keys.me });
      await queryClient.invalidateQueries({ queryKey: keys.sessions });
    },
  });
