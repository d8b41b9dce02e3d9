import type { Task } from '@atelier/contract/runs';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { keys } from '../../../lib/query.ts';
import { drafts } from '../composer/run-stores.ts';
import { useFinishedRuns } from './use-finished-runs.ts';

/** How much of an answer is read out at once; the rest is in the log. */
const ANNOUNCED = 1000;
/** Screen readers read an announcement at once; remove it afterwards, so that nobody meets the answer twice. In milliseconds. */
const ANNOUNCED_FOR = 2000;

/** After a run ends: refetch the usage, restore the words of a failed one, announce it once. Returns the announcement. */
export function useAnswered(tasks: readonly Task[] | undefined, onAnswered: (task: Task) => void): string {
  const queryClient = useQueryClient();
  const [announcement, setAnnouncement] = useState('');
  useEffect(() => {
    if (announcement === '') return;
    const timer = setTimeout(() => setAnnouncement(''), ANNOUNCED_FOR);
    return () => clearTimeout(timer);
  }, [announcement]);
  useFinishedRuns(tasks, (task, startedHere) => {
    void queryClient.invalidateQueries({ queryKey: keys.me });
    setAnnouncement(spoken(task));
    if (task.status === 'done') onAnswered(task);
    const mayGiveBack = task.status === 'failed' && startedHere && drafts.read(task.sessionId).trim() === '';
    if (mayGiveBack) drafts.write(task.sessionId, task.inputText);
  });
  return announcement;
}

function spoken(task: Task): string {
  if (task.status === 'cancelled') return 'The answer was stopped.';
  if (task.status !== 'done') return 'The answer failed. The reason is below your message.';
  return `${task.agentName} answered: ${task.message.slice(0, ANNOUNCED)}`;
}
