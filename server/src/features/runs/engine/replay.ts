import type { Task, TaskEvent } from '@atelier/contract/runs';
import type { Live } from '../../../platform/live.ts';
import type { EventLog } from './log.ts';
import type { Run } from './run.ts';

/** How long a task that has ended is held, for followers that are about to come. */
const HELD_MS = 5_000;

/** A task's events, and the task itself if it has ended. */
export interface LiveProgress {
  sessionId: string;
  events: TaskEvent[];
  ended: Task | null;
}

interface Entry {
  run: Run;
  ended: Task | null;
  letGo: () => void;
}

/**
 * The tasks that followers read from memory instead of the database: those that run in this process, and those that ended here a moment
 * ago. What its owner forgets or deletes is not removed here, so with the first such change the task is let go.
 */
export function createReplay(live: Live, eventLog: EventLog) {
  const entries = new Map<string, Entry>();

  function drop(taskId: string): void {
    entries.get(taskId)?.letGo();
    entries.delete(taskId);
  }

  return {
    add(run: Run): void {
      const letGo = live.subscribe(run.uid, ({ event, data }) => {
        if (event === 'changed' && (data.topic === 'memories' || data.topic === 'sessions')) drop(run.taskId);
      });
      entries.set(run.taskId, { run, ended: null, letGo });
    },
    /** Holds an ended task a little longer; without a task, nothing is left to hold. */
    end(taskId: string, ended: Task | undefined): void {
      const entry = entries.get(taskId);
      if (ended === undefined || entry === undefined) return close(taskId);
      entry.ended = ended;
      setTimeout(close, HELD_MS, taskId).unref();
    },
    progressOf(uid: string, taskId: string): LiveProgress | undefined {
      const entry = entries.get(taskId);
      const rows = eventLog.eventsOf(taskId);
      if (entry?.run.uid !== uid || rows === undefined) return undefined;
      const events = rows.map(({ seq, event }) => ({ ...event, seq }));
      return { sessionId: entry.run.sessionId, events, ended: entry.ended };
    },
  };

  function close(taskId: string): void {
    drop(taskId);
    eventLog.drop(taskId);
  }
}
