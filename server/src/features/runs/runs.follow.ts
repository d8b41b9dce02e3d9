import type { Task, TaskEvent } from '@atelier/contract/runs';
import type { Caller } from '../../access.ts';
import type { Deps } from '../../platform/deps.ts';
import { doneEvent, isInFlight } from './runs.events.ts';
import { findEvents, findTask } from './runs.queries.ts';

// Polling makes up for notices missed while the database connection was lost.
const LOOK_AGAIN_MS = 5_000;

/**
 * Events of the caller's task after `after`: stored ones, then new ones, each once and in order. The last is always `done` with the whole
 * task. Ends early when `signal` aborts.
 */
export async function* followTask(
  ctx: Deps,
  caller: Caller,
  taskId: string,
  after: number,
  signal: AbortSignal,
): AsyncGenerator<TaskEvent> {
  const inbox = openInbox(ctx, caller.uid, taskId, signal);
  let last = after;
  try {
    for (;;) {
      // Open the inbox first and read the task before its log, so nothing is missed in between.
      const task = await findTask(ctx.db, caller.uid, taskId);
      if (task === undefined || signal.aborted) return;
      for (const { seq, type, data } of await findEvents(ctx.db, caller.uid, taskId, last)) {
        last = seq;
        yield { type, seq, ...data } as TaskEvent;
      }
      if (!isInFlight(task.status)) {
        yield doneEvent(task);
        return;
      }
      for (let event = await inbox.next(); event !== 'look'; event = await inbox.next()) {
        if (event.seq <= last) continue;
        if (event.seq !== last + 1) break;
        last = event.seq;
        yield event;
        if (event.type === 'done') return;
      }
    }
  } finally {
    inbox.close();
  }
}

/** Collects what arrives for a task while its follower is busy; `look` means to ask the database. */
function openInbox(ctx: Deps, uid: string, taskId: string, signal: AbortSignal) {
  const events: (TaskEvent | 'look')[] = [];
  let wake = () => {};
  const put = (event: TaskEvent | 'look') => {
    events.push(event);
    wake();
  };
  const stop = () => put('look');
  const unsubscribe = ctx.live.subscribe(uid, (message) => {
    if (message.event === 'hello') put('look');
    else if (message.event !== 'changed' && message.data.taskId === taskId) {
      const { taskId: _task, sessionId: _session, ...rest } = message.data;
      put({ type: message.event, ...rest } as TaskEvent);
    }
  });
  signal.addEventListener('abort', stop);
  return {
    async next(): Promise<TaskEvent | 'look'> {
      if (events.length === 0) {
        const timer = setTimeout(() => put('look'), LOOK_AGAIN_MS);
        await new Promise<void>((resolve) => (wake = resolve));
        clearTimeout(timer);
      }
      return events.shift() ?? 'look';
    },
    close() {
      unsubscribe();
      signal.removeEventListener('abort', stop);
    },
  };
}

/** Resolves with the task once it has ended; null when `signal` aborts first. */
export async function waitForTask(
  ctx: Deps,
  caller: Caller,
  taskId: string,
  signal: AbortSignal,
): Promise<Task | null> {
  const inbox = openInbox(ctx, caller.uid, taskId, signal);
  try {
    for (let event: TaskEvent | 'look' = 'look'; !signal.aborted; event = await inbox.next()) {
      if (event === 'look') {
        const task = await findTask(ctx.db, caller.uid, taskId);
        if (task === undefined || !isInFlight(task.status)) return task ?? null;
      } else if (event.type === 'done') return event.task;
    }
    return null;
  } finally {
    inbox.close();
  }
}
