import type { Task } from '@atelier/contract/runs';
import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useState } from 'react';
import { keys } from '../../../lib/query.ts';
import { useAnnouncement } from '../../../ui/page/use-announcement.ts';
import { useFinishedRuns } from './use-finished-runs.ts';

/** How much of an answer is read out at once; the rest is in the log. */
const ANNOUNCED = 1000;

/** After a run ends: refetch the usage, announce it once. `answered` is the latest that has ended well, until it is closed or leaves the path. */
export function useAnswered(tasks: readonly Task[] | undefined) {
  const queryClient = useQueryClient();
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
