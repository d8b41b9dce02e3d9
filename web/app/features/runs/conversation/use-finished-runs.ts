import type { Task, TaskStatus } from '@atelier/contract/runs';
import { useEffect, useRef } from 'react';
import { useLatest } from '../../../ui/list/use-latest.ts';
import { startedHere } from '../composer/run-stores.ts';
import { finishedSince } from './finished-runs.ts';

/** Calls `onFinished` once for each run that ends while its session is on the screen, and for those that this page started. */
export function useFinishedRuns(tasks: readonly Task[] | undefined, onFinished: (task: Task) => void): void {
  const statuses = useRef<ReadonlyMap<string, TaskStatus>>(new Map());
  const report = useLatest(onFinished);
  useEffect(() => {
    if (!tasks) return;
    const ended = finishedSince({ statuses: statuses.current, started: startedHere }, tasks);
    statuses.current = new Map(tasks.map((t) => [t.id, t.status]));
    for (const task of ended) {
      startedHere.delete(task.id);
      report.current(task);
    }
  }, [tasks, report]);
}
