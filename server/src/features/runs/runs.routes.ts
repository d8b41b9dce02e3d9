import {
  isInFlight,
  type QueuedMessage,
  runAgentTaskCalls,
  type Task,
  type TaskEvent,
  taskCalls,
} from '@atelier/contract/runs';
import type { Context } from 'hono';
import { streamSSE } from 'hono/streaming';
import { type AppEnv, type Caller, proRequired } from '../../access.ts';
import { AppError } from '../../platform/errors.ts';
import { FOREIGN_CONTENT } from '../../platform/http/headers.ts';
import { idempotencyKey, lastEventId } from '../../platform/http/request-headers.ts';
import { serve } from '../../serve.ts';
import { watchCaller } from '../accounts/auth/watch-caller.service.ts';
import { getSession, toSession } from '../sessions/sessions.service.ts';
import { chooseTask, editTask, regenerateTask, restoreTask } from './branches.service.ts';
import { continueInNewSession } from './continue.service.ts';
import { cancelTask } from './runs.cancel.service.ts';
import { answerServer, approveCall } from './runs.decide.service.ts';
import { followTask, waitForTask } from './runs.follow.service.ts';
import { askAgain, expectQuestion, getMedia, getTask, listTasks, retryTask } from './runs.service.ts';
import { type DepsWithRunner, type Start, startTask } from './runs.start.service.ts';

/** The exchanges of a session. Deleting one is in `removal`. `sendOrQueue` sends a message that may wait for the running answer. */
export const runsRoutes = (
  deps: DepsWithRunner,
  sendOrQueue: (caller: Caller, message: Start) => Promise<{ task: Task } | { queued: QueuedMessage }>,
) =>
  serve(taskCalls, {
    list: async ({ caller, params, query }) => {
      const session = await getSession(deps.db, caller.uid, params.sessionId);
      if (query.cursor === undefined) expectQuestion(deps, caller, session);
      return listTasks(deps, session, query);
    },
    start: async ({ c, caller, params, body: { whenBusy, ...body } }) => {
      if (body.attachmentIds?.length && caller.plan !== 'pro') throw proRequired('An attachment');
      const message = { ...body, ...params, idempotencyKey: idempotencyKey(c) };
      if (whenBusy !== undefined) return answerWithRun(deps, c, () => sendOrQueue(caller, message));
      return answerWithRun(deps, c, async () => ({ task: await startTask(deps, caller, message) }));
    },
    get: async ({ caller, params }) => ({ task: await getTask(deps, caller, params.sessionId, params.taskId) }),
    cancel: async ({ caller, params }) => ({ task: await cancelTask(deps, caller, params.sessionId, params.taskId) }),
    retry: async ({ c, caller, params }) =>
      answerWithRun(deps, c, async () => ({ task: await retryTask(deps, caller, params.sessionId, params.taskId) })),
    askAgain: async ({ c, caller, params, body }) => {
      const input = { ...body, idempotencyKey: idempotencyKey(c) };
      return answerWithRun(deps, c, async () => ({ task: await askAgain(deps, caller, params, input) }));
    },
    follow: async ({ c, caller, params }) => answerFollower(deps, c, caller, params),
    edit: async ({ c, caller, params, body }) => {
      const input = { ...body, idempotencyKey: idempotencyKey(c) };
      return answerWithRun(deps, c, async () => ({ task: await editTask(deps, caller, params, input) }));
    },
    regenerate: async ({ c, caller, params, body }) => {
      const input = { ...body, idempotencyKey: idempotencyKey(c) };
      return answerWithRun(deps, c, async () => ({ task: await regenerateTask(deps, caller, params, input) }));
    },
    choose: async ({ caller, params }) => ({ task: await chooseTask(deps, caller, params) }),
    restore: async ({ caller, params }) => ({ task: await restoreTask(deps, caller, params) }),
    continue: async ({ caller, params }) => ({ session: toSession(await continueInNewSession(deps, caller, params)) }),
    approve: async ({ caller, params, body }) => ({ task: await approveCall(deps, caller, params, body) }),
    answer: async ({ caller, params, body }) => ({ task: await answerServer(deps, caller, params, body) }),
    media: async ({ c, caller, params }) => {
      const { type, bytes } = await getMedia(deps, caller, params);
      // A page shows it as a picture or a sound only; opened by itself, it can do nothing.
      return c.body(new Uint8Array(bytes), 200, {
        'content-type': type,
        'content-disposition': 'attachment; filename="answer"',
        'x-content-type-options': 'nosniff',
        'content-security-policy': FOREIGN_CONTENT,
      });
    },
  });

/** Streams a task's events for programs; pages read `/api/live`. */
async function answerFollower(
  deps: DepsWithRunner,
  c: Context<AppEnv>,
  caller: Caller,
  { sessionId, taskId }: { sessionId: string; taskId: string },
) {
  const after = lastEventId(c.req.header('last-event-id'));
  const here = deps.runner.progressOf(caller.uid, taskId);
  const isHere = here?.sessionId === sessionId;
  const task = isHere ? (here.ended ?? undefined) : await getTask(deps, caller, sessionId, taskId);
  // This reader has seen the end: 204 tells an EventSource not to reconnect.
  if (task !== undefined && !isInFlight(task.status) && after >= task.seq) return c.body(null, 204);
  const leave = c.get('bounds').enter(caller.uid, 'streams');
  return streamTask(deps, c, { leave, follow: (signal) => followTask(deps, caller, taskId, after, signal, task) });
}

/** The same run, but the request waits for its end. An interrupted answer is one: its key gives the same task, so no retry is advised. */
export const runAgentTaskRoutes = (deps: DepsWithRunner) =>
  serve(runAgentTaskCalls, {
    run: async ({ c, caller, body: { userId, ...input } }) => {
      if (userId !== undefined && userId !== caller.uid) {
        throw new AppError('forbidden', 'userId must be the signed-in user.', { field: 'userId' });
      }
      const { id } = await startTask(deps, caller, { ...input, idempotencyKey: idempotencyKey(c) });
      const task = await waitForTask(deps, caller, id, c.req.raw.signal);
      if (task === null) throw new AppError('unavailable', 'The request ended before the answer did.');
      if (task.status === 'failed') throw new AppError('provider_failed', task.error ?? '');
      return { task, memoryUsed: memoryText(task) };
    },
  });

const memoryText = (task: Task) => task.memoryUsed.map((item) => item.text.replaceAll(/\s+/g, ' ')).join('\n');

const PING_MS = 15_000;
const STREAM = 'text/event-stream';

/**
 * Starts a run and answers with its task: 202 at once, or, where the caller accepts server-sent events, a stream that begins with the event
 * `task` and goes on until the run ends. The stream saves a program the second request; one that breaks off is resumed at `…/events`.
 * A message that was queued instead is only answered.
 */
async function answerWithRun<Begun extends { task: Task } | { queued: object }>(
  deps: DepsWithRunner,
  c: Context<AppEnv>,
  begin: () => Promise<Begun>,
): Promise<Begun | Response> {
  if (!c.req.header('accept')?.includes(STREAM)) return begin();
  const caller = c.get('caller');
  // Before the run begins: whoever may not follow it sends nothing.
  const leave = c.get('bounds').enter(caller.uid, 'streams');
  const begun = await begin().catch((error: unknown) => {
    leave();
    throw error;
  });
  if (!('task' in begun)) {
    leave();
    return begun;
  }
  const { task } = begun;
  c.status(202);
  return streamTask(deps, c, { leave, first: task, follow: (signal) => followTask(deps, caller, task.id, 0, signal) });
}

interface TaskStream {
  /** Gives the stream's place back. */
  leave: () => void;
  /** Told before the events. */
  first?: Task;
  follow: (signal: AbortSignal) => AsyncGenerator<TaskEvent>;
}

/** Streams a task until it ends, or until the sign-in ends. */
function streamTask(deps: DepsWithRunner, c: Context<AppEnv>, { leave, first, follow }: TaskStream) {
  return streamSSE(c, async (stream) => {
    const ended = new AbortController();
    stream.onAbort(() => ended.abort());
    const ping = setInterval(() => void stream.write(': ping\n\n'), PING_MS);
    const stopWatching = watchCaller(deps, c, () => ended.abort());
    try {
      if (first !== undefined) await stream.writeSSE({ event: 'task', data: JSON.stringify({ task: first }) });
      for await (const { type, seq, ...data } of follow(ended.signal)) {
        await stream.writeSSE({ event: type, id: String(seq), data: JSON.stringify(data) });
      }
    } finally {
      leave();
      clearInterval(ping);
      stopWatching();
    }
  });
}
