import type { Task, TaskStatus } from '@atelier/contract/runs';
import { isUnderWay } from '../task-patches.ts';

/** What this page has seen of a session's runs. */
export interface Watched {
  statuses: ReadonlyMap<string, TaskStatus>;
  /** Tasks started in this page, which may end before they are seen running, and be seen before it is known that they started here. */
  started: ReadonlySet<string>;
  /** Tasks whose end was reported. */
  reported: ReadonlySet<string>;
}

/** The tasks that have ended and were not reported: seen running before, or started here. Old history never counts. */
export function finishedSince(watched: Watched, tasks: readonly Task[]): Task[] {
  return tasks.filter((task) => {
    if (isUnderWay(task) || watched.reported.has(task.id)) return false;
    const before = watched.statuses.get(task.id);
    return watched.started.has(task.id) || (before !== undefined && isUnderWay({ status: before }));
  });
}
