import { isInFlight, type Task, type TaskEvent } from '@atelier/contract/runs';
import type { Caller } from '../../access.ts';
import type { Deps } from '../../platform/deps.ts';
import type { LiveProgress } from './engine/replay.ts';
import { doneEvent } from './runs.events.ts';
import { findEvents, findTask } from './runs.queries.ts';
import type { DepsWithRunner } from './runs.start.service.ts';

// Polling makes up for notices missed while the database connection was lost.
const LOOK_AGAIN_MS = 5_000;

/**
 * Events of the caller's task after `after`: earlier ones, then new ones, each once and in order. The last is always `done` with the whole
 * task. Ends early when `signal` aborts. Reads the database only for a task that another process runs, or that has ended. `task` is the
 * one that the caller just read.
 */
export async function* followTask(
  ctx: DepsWithRunner,
  caller: Caller,
  taskId: string,
  after: number,
  signal: AbortSignal,
  task?: Task,
): AsyncGenerator<TaskEvent> {
  // Open the inbox first and read the task before its log, so nothing is missed in between.
  const inbox = openInbox(ctx, caller.uid, taskId, signal);
  let last = after;
  let ended = task !== undefined && !isInFlight(task.status) ? task : undefined;
  try {
    while (!signal.aborted) {
      const here = ctx.runner.progressOf(caller.uid, taskId);
      const progress = here ?? (await readProgress(ctx, caller.uid, { taskId, after: last, ended }));
      ended = undefined;
      if (progress === undefined || signal.aborted) return;
      for (const event of progress.events) {
        if (event.seq <= last) continue;
        last = event.seq;
        yield event;
      }
      if (progress.ended !== null) {
        yield doneEvent(progress.ended);
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

async function readProgress(
  ctx: Deps,
  uid: string,
  { taskId, after, ended }: { taskId: string; after: number; ended: Task | undefined },
): Promise<Omit<LiveProgress, 'sessionId'> | undefined> {
  const task = ended ?? (await findTask(ctx.db, uid, taskId));
  if (task === undefined) return undefined;
  const events = await findEvents(ctx.db, uid, taskId, after);
  return {
    events: events.map(({ seq, type, data }) => ({ type, seq, ...data }) as TaskEvent),
    ended: isInFlight(task.status) ? null : task,
  };
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
  ctx: DepsWithRunner,
  caller: Caller,
  taskId: string,
  signal: AbortSignal,
): Promise<Task | null> {
  const inbox = openInbox(ctx, caller.uid, taskId, signal);
  try {
    for (let event: TaskEvent | 'look' = 'look'; !signal.aborted; event = await inbox.next()) {
      if (event === 'look') {
        if (ctx.runner.runs(taskId)) continue;
        const task = await findTask(ctx.db, caller.uid, taskId);
        if (task === undefined || !isInFlight(task.status)) return task ?? null;
      } else if (event.type === 'done') return event.task;
    }
    return null;
  } finally {
    inbox.close();
  }
}
