import type { Task, TaskEvent } from '@atelier/contract/runs';
import type { Context } from 'hono';
import { streamSSE } from 'hono/streaming';
import type { AppEnv } from '../../access.ts';
import { watchCaller } from '../accounts/auth/watch-caller.service.ts';
import { followTask } from './runs.follow.service.ts';
import type { RunsContext } from './runs.start.service.ts';

const PING_MS = 15_000;
const STREAM = 'text/event-stream';

/**
 * Starts a run and answers with its task: 202 at once, or, where the caller accepts server-sent events, a stream that begins with the event
 * `task` and goes on until the run ends. The stream saves a program the second request; one that breaks off is resumed at `…/events`.
 * A message that was queued instead is only answered.
 */
export async function answerWithRun<Begun extends { task: Task } | { queued: object }>(
  deps: RunsContext,
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

interface Followed {
  /** Gives the stream's place back. */
  leave: () => void;
  /** Told before the events. */
  first?: Task;
  follow: (signal: AbortSignal) => AsyncGenerator<TaskEvent>;
}

/** Streams a task until it ends, or until the sign-in ends. */
export function streamTask(deps: RunsContext, c: Context<AppEnv>, { leave, first, follow }: Followed) {
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
