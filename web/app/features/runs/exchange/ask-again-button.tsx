import type { Task } from '@atelier/contract/runs';
import { errorText } from '../../../lib/http.ts';
import { Button } from '../../../ui/button.tsx';
import { toast } from '../../../ui/overlay/toast.tsx';
import { useAskAgain } from '../runs.api.ts';

/** Asks an answered message again without one memory. */
export function AskAgainButton({ task, memoryId, onAsked }: { task: Task; memoryId: string; onAsked: () => void }) {
  const ask = useAskAgain(task.sessionId);
  const again = () =>
    ask.mutate(
      { taskId: task.id, without: [memoryId] },
      { onSuccess: onAsked, onError: (error) => toast.error(errorText(error)) },
    );
  return (
    <Button size="sm" variant="ghost" loading={ask.isPending} onClick={again}>
      Ask again without this
    </Button>
  );
}
