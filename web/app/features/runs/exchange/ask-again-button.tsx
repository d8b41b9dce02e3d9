import type { Task } from '@atelier/contract/runs';
import { toastError } from '../../../lib/toast-error.ts';
import { Button } from '../../../ui/button.tsx';
import { useAskAgain } from '../runs.api.ts';

/** Asks an answered message again without one memory. */
export function AskAgainButton({ task, memoryId, onAsked }: { task: Task; memoryId: string; onAsked: () => void }) {
  const ask = useAskAgain(task.sessionId);
  const again = () => ask.mutate({ taskId: task.id, without: [memoryId] }, { onSuccess: onAsked, onError: toastError });
  return (
    <Button size="sm" variant="ghost" loading={ask.isPending} onClick={again}>
      Ask again without this
    </Button>
  );
}
