import type { Task, TaskStatus } from '@atelier/contract/runs';
import { useEffect, useRef } from 'react';
import { useLatest } from '../../../ui/list/use-latest.ts';
import { startedHere } from '../composer/run-stores.ts';
import { finishedSince } from './finished-runs.ts';

/** Runs whose end was reported in this page. */
const reported = new Set<string>();

/** Calls `onFinished` once for each run that ends while its session is on the screen, and for those that this page started. */
export function useFinishedRuns(tasks: readonly Task[] | undefined, onFinished: (task: Task) => void): void {
  const statuses = useRef<ReadonlyMap<string, TaskStatus>>(new Map());
  const started = startedHere.useValue();
  const report = useLatest(onFinished);
  useEffect(() => {
    if (!tasks) return;
    const ended = finishedSince({ statuses: statuses.current, started, reported }, tasks);
    statuses.current = new Map(tasks.map((t) => [t.id, t.status]));
    for (const task of ended) {
      reported.add(task.id);
      report.current(task);
    }
  }, [tasks, started, report]);
}
