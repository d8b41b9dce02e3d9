import { SENTENCES } from '@atelier/contract/errors';
import type { Task } from '@atelier/contract/runs';
import { errorText } from '../../../lib/http.ts';
import { ErrorLine } from '../../../ui/banner.tsx';
import { Button } from '../../../ui/button.tsx';
import { useRetry } from '../runs.api.ts';

export interface RunEndingProps {
  task: Task;
  /** False when nothing can run now: another answer is running, or the agent is gone. */
  mayRetry: boolean;
}

const INTERRUPTED = 'The server could not finish this answer. What it had written is kept, and nothing was counted.';

/** The notice for a failed, stopped or interrupted run; null for a finished one. */
function endingOf(task: Task): { label?: string; text: string; bad: boolean } | null {
  if (task.status === 'failed') return { text: task.error ?? SENTENCES.runFailed, bad: true };
  if (task.status === 'interrupted') return { label: 'Interrupted', text: task.error ?? INTERRUPTED, bad: false };
  if (task.status === 'cancelled') return { label: 'Stopped', text: 'You stopped this answer.', bad: false };
  return null;
}

/** Below an answer that failed, was stopped or interrupted: what happened, and a retry. */
export function RunEnding({ task, mayRetry }: RunEndingProps) {
  const retry = useRetry(task.sessionId);
  const ending = endingOf(task);
  if (!ending) return null;
  return (
    <div className="flex max-w-[72ch] flex-col items-start gap-2">
      <p className={ending.bad ? 'text-danger' : 'text-muted'}>
        {ending.label && <span className="font-semibold">{ending.label}. </span>}
        {ending.text}
      </p>
      {task.retriedBy ? (
        <p className="text-muted text-sm">Tried again: see the other version.</p>
      ) : (
        <Button size="sm" disabled={!mayRetry} loading={retry.isPending} onClick={() => retry.mutate(task.id)}>
          Retry
        </Button>
      )}
      {retry.isError && <ErrorLine className="text-sm">{errorText(retry.error)}</ErrorLine>}
    </div>
  );
}
