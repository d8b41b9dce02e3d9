import type { Task, TaskStatus } from '@atelier/contract/runs';
import { useEffect, useRef } from 'react';
import { useLatest } from '../../../ui/list/use-latest.ts';
import { finishedSince } from './finished-runs.ts';

/** Calls `onFinished` once for each run that ends while its session is on the screen. */
export function useFinishedRuns(tasks: readonly Task[] | undefined, onFinished: (task: Task) => void) {
  const statuses = useRef<ReadonlyMap<string, TaskStatus>>(new Map());
  const started = useRef(new Set<string>());
  const report = useLatest(onFinished);
  useEffect(() => {
    if (!tasks) return;
    const ended = finishedSince({ statuses: statuses.current, started: started.current }, tasks);
    statuses.current = new Map(tasks.map((t) => [t.id, t.status]));
    for (const task of ended) {
      started.current.delete(task.id);
      report.current(task);
    }
  }, [tasks, report]);
  /** Records a run that this page started. */
  return (task: Task) => void started.current.add(task.id);
}
