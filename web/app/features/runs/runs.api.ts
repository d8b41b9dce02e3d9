import { type Task, taskCalls } from '@atelier/contract/runs';
import type { Approval, ToolAnswer } from '@atelier/contract/tools';
import { infiniteQueryOptions, useInfiniteQuery, useMutation } from '@tanstack/react-query';
import { useCallback, useEffect } from 'react';
import { addressOf, call } from '../../lib/http.ts';
import { runEvents } from '../../lib/live/live-events.ts';
import { PAGE_SIZES } from '../../lib/page-sizes.ts';
import { keys, pagedQuery, queryClient } from '../../lib/query.ts';
import { startedHere } from './composer/run-stores.ts';
import { startingRun } from './run-failure.ts';
import {
  createEventBuffer,
  inOrder,
  isUnderWay,
  mergeFetched,
  newestPages,
  patchTasks,
  putTask,
  type RunEvent,
  type TaskPages,
} from './task-patches.ts';

/** Shared by all sessions, so that a run continues while another session is shown. */
const buffer = createEventBuffer();

/** Polls while an answer is running and no event arrives, in case the stream is down. */
const WATCHDOG_MS = 15_000;

const tasksQuery = (sessionId: string) =>
  infiniteQueryOptions({
    ...pagedQuery(keys.tasks(sessionId), taskCalls.list, { params: { sessionId }, query: { limit: PAGE_SIZES.tasks } }),
    structuralSharing: (before, fetched) => mergeFetched(before as TaskPages | undefined, fetched as TaskPages, buffer),
  });

/** The exchanges of a session, paged from the end. A refetch never removes live text. */
export function useTasks(sessionId: string, enabled = true) {
  return useInfiniteQuery({
    ...tasksQuery(sessionId),
    enabled,
    refetchInterval: ({ state }) => (state.data && inOrder(state.data).some(isUnderWay) ? WATCHDOG_MS : false),
  });
}

/** Loads a session's exchanges while the code that shows them is still loading; does nothing without a session. */
export function usePrefetchTasks(sessionId: string | undefined): void {
  useEffect(() => {
    if (sessionId !== undefined) void queryClient.prefetchInfiniteQuery(tasksQuery(sessionId));
  }, [sessionId]);
}

/** How many pages a session keeps when nobody reads the older ones: each is refetched whenever the session changes. */
const KEPT_PAGES = 2;

/** Drops a session's older exchanges, when the reader returns to its end or leaves. */
export function useForgetOlder(sessionId: string): () => void {
  return useCallback(() => {
    queryClient.setQueryData<TaskPages>(keys.tasks(sessionId), (data) => data && newestPages(data, KEPT_PAGES));
  }, [sessionId]);
}

/** Writes a live event into the cache; refetches when events are missing. */
function receiveEvent(event: RunEvent): void {
  const queryKey = keys.tasks(event.sessionId);
  const data = queryClient.getQueryData<TaskPages>(queryKey);
  if (!data) return buffer.hold(event);
  const patched = patchTasks(data, event, buffer);
  if (patched.data !== data) queryClient.setQueryData(queryKey, patched.data);
  // A session that is not on the screen is only marked, and refetched when it is shown again.
  if (patched.refetch) void queryClient.invalidateQueries({ queryKey }, { cancelRefetch: false });
}

/** Writes the live events of all running answers into the cache while the page is shown. */
export function useRunEvents(): void {
  useEffect(() => runEvents.subscribe(({ event, data }) => receiveEvent({ type: event, ...data } as RunEvent)), []);
}

/** Shows a task that the server has just accepted, before any event or list contains it. */
export function showTask(task: Task): void {
  startedHere.set(new Set(startedHere.read()).add(task.id));
  const queryKey = keys.tasks(task.sessionId);
  queryClient.setQueryData<TaskPages>(queryKey, (data) => data && putTask(data, task));
  void queryClient.invalidateQueries({ queryKey });
  void queryClient.invalidateQueries({ queryKey: keys.me });
}

/** A call whose task is shown at once. */
export const useTaskCall = <Input>(make: (input: Input) => Promise<{ task: Task }>) =>
  useMutation({
    mutationFn: async (input: Input) => (await make(input)).task,
    onSuccess: showTask,
  });

/** Asks an earlier question again without some memories; it counts like any message. */
export const useAskAgain = (sessionId: string) =>
  useTaskCall(({ taskId, without }: { taskId: string; without: string[] }) =>
    startingRun(call(taskCalls.askAgain, { params: { sessionId, taskId }, body: { without } })),
  );

export const useCancel = (sessionId: string) =>
  useTaskCall((taskId: string) => call(taskCalls.cancel, { params: { sessionId, taskId } }));

/** Retries a failed run as a new task. */
export const useRetry = (sessionId: string) =>
  useTaskCall((taskId: string) => startingRun(call(taskCalls.retry, { params: { sessionId, taskId } })));

/** Stores the decision about a tool that waits for approval. */
export const useApproval = (sessionId: string) =>
  useTaskCall(({ taskId, approval: body }: { taskId: string; approval: Approval }) =>
    call(taskCalls.approve, { params: { sessionId, taskId }, body }),
  );

/** The person's answer to what a server asks in the middle of a call. */
export const useToolAnswer = (sessionId: string) =>
  useMutation({
    mutationFn: ({ taskId, answer: body }: { taskId: string; answer: ToolAnswer }) =>
      call(taskCalls.answer, { params: { sessionId, taskId }, body }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: keys.tasks(sessionId) }),
  });

/** Where the bytes of a picture, sound or file of a tool are. */
export const mediaAddress = ({ sessionId, id }: Pick<Task, 'sessionId' | 'id'>, mediaId: string) =>
  addressOf(taskCalls.media, { params: { sessionId, taskId: id, mediaId } });
