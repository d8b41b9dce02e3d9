import type { Task, TaskStatus } from '@atelier/contract/runs';
import { useCallback, useEffect, useRef, useState } from 'react';
import { keys, queryClient } from '../../../lib/query.ts';
import { useLatest } from '../../../ui/list/use-latest.ts';
import { useAnnouncement } from '../../../ui/page/use-announcement.ts';
import { startedHere } from '../composer/run-stores.ts';
import { isUnderWay } from '../task-patches.ts';

/** How much of an answer is read out at once; the rest is in the log. */
const ANNOUNCED = 1000;

/** After a run ends: refetch the usage, announce it once. `answered` is the latest that has ended well, until it is closed or leaves the path. */
export function useAnswered(tasks: readonly Task[] | undefined) {
  const [announcement, announce] = useAnnouncement();
  const [answeredId, setAnsweredId] = useState<string>();
  const answered = tasks?.find(({ id }) => id === answeredId);
  if (tasks && answeredId !== undefined && !answered) setAnsweredId(undefined);
  useFinishedRuns(tasks, (task) => {
    void queryClient.invalidateQueries({ queryKey: keys.me });
    void spoken(task).then(announce);
    if (task.status === 'done') setAnsweredId(task.id);
  });
  return { announcement, answered, closeAnswered: useCallback(() => setAnsweredId(undefined), []) };
}

async function spoken(task: Task): Promise<string> {
  if (task.status === 'cancelled') return 'The answer was stopped.';
  if (task.status !== 'done') return 'The answer failed. The reason is below your message.';
  // Comes with the formatter of answers.
  const words = await import('../../../lib/markdown/plain-words.ts').then(
    ({ plainWords }) => plainWords(task.message),
    () => task.message,
  );
  return `${task.agentName} answered: ${words.slice(0, ANNOUNCED)}`;
}

/** Runs whose end was reported in this page. */
const reported = new Set<string>();

/** Calls `onFinished` once for each run that ends while its session is on the screen, and for those that this page started. */
function useFinishedRuns(tasks: readonly Task[] | undefined, onFinished: (task: Task) => void): void {
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

interface Watched {
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
