import type { Task, TaskStatus } from '@atelier/contract/runs';
import { isUnderWay } from '../task-patches.ts';

/** What this page has seen of a session's runs. */
export interface Watched {
  statuses: ReadonlyMap<string, TaskStatus>;
  /** Tasks started in this page, which may end before they are seen running. */
  started: ReadonlySet<string>;
}

/** The tasks that ended since the last call: seen running before, or started here. Old history never counts. */
export function finishedSince(watched: Watched, tasks: readonly Task[]): Task[] {
  return tasks.filter((task) => {
    if (isUnderWay(task)) return false;
    const before = watched.statuses.get(task.id);
    if (before !== undefined) return isUnderWay({ status: before });
    return watched.started.has(task.id);
  });
}
