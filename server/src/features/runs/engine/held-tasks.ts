import type { Task, TaskEvent } from '@atelier/contract/runs';
import type { Live } from '../../../platform/live.ts';
import type { EventLog } from './log.ts';
import type { Run } from './run.ts';

/** How long a task that has ended is held, for followers that are about to come. */
const HELD_MS = 5_000;

/** A task's events, and the task itself if it has ended. */
export interface Progress {
  sessionId: string;
  events: TaskEvent[];
  ended: Task | null;
}

interface Held {
  run: Run;
  ended: Task | null;
  letGo: () => void;
}

/**
 * The tasks that followers read from memory instead of the database: those that run in this process, and those that ended here a moment
 * ago. What its owner forgets or deletes is not removed here, so with the first such change the task is let go.
 */
export function holdTasks(live: Live, log: EventLog) {
  const held = new Map<string, Held>();

  function drop(taskId: string): void {
    held.get(taskId)?.letGo();
    held.delete(taskId);
  }

  return {
    add(run: Run): void {
      const letGo = live.subscribe(run.uid, ({ event, data }) => {
        if (event === 'changed' && (data.topic === 'memories' || data.topic === 'sessions')) drop(run.taskId);
      });
      held.set(run.taskId, { run, ended: null, letGo });
    },
    /** Holds an ended task a little longer; without a task, nothing is left to hold. */
    end(taskId: string, ended: Task | undefined): void {
      const found = held.get(taskId);
      if (ended === undefined || found === undefined) return close(taskId);
      found.ended = ended;
      setTimeout(close, HELD_MS, taskId).unref();
    },
    progressOf(uid: string, taskId: string): Progress | undefined {
      const found = held.get(taskId);
      const rows = log.eventsOf(taskId);
      if (found?.run.uid !== uid || rows === undefined) return undefined;
      const events = rows.map(({ seq, event }) => ({ ...event, seq }));
      return { sessionId: found.run.sessionId, events, ended: found.ended };
    },
  };

  function close(taskId: string): void {
    drop(taskId);
    log.drop(taskId);
  }
}
