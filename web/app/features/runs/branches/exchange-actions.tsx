import type { Task } from '@atelier/contract/runs';
import { MessageSquarePlus, Trash2 } from 'lucide-react';
import { useNavigate } from 'react-router';
import { errorText } from '../../../lib/http.ts';
import { IconButton } from '../../../ui/icon-button.tsx';
import { toast } from '../../../ui/overlay/toast.tsx';
import { useContinue, useDeleteTask, useRestoreTask } from './branches.api.ts';
import { RegenerateButton } from './regenerate-button.tsx';

/** What can be done with an exchange that has ended: answer it again, go on from it in a new session, delete it. */
export function ExchangeActions({ task, mayRun }: { task: Task; mayRun: boolean }) {
  const navigate = useNavigate();
  const go = useContinue(task.sessionId);
  const remove = useRemoval(task);
  const fail = (error: unknown) => toast.error(errorText(error));
  const goOn = () =>
    go.mutate(task.id, { onError: fail, onSuccess: ({ id }) => void navigate(`/runtime?sessionId=${id}`) });
  return (
    <>
      <RegenerateButton task={task} mayRun={mayRun} />
      <IconButton
        size="sm"
        label="Continue in a new session"
        disabled={!mayRun}
        aria-busy={go.isPending || undefined}
        onClick={() => !go.isPending && goOn()}
      >
        <MessageSquarePlus aria-hidden="true" className="size-4" />
      </IconButton>
      <IconButton size="sm" label="Delete exchange" disabled={!mayRun} onClick={remove}>
        <Trash2 aria-hidden="true" className="size-4" />
      </IconButton>
    </>
  );
}

/** Deletes at once and offers undo while the toast is shown. */
function useRemoval(task: Task) {
  const remove = useDeleteTask(task.sessionId);
  const restore = useRestoreTask(task.sessionId);
  const fail = (error: unknown) => toast.error(errorText(error));
  return () => {
    // The button is about to go.
    document.querySelector<HTMLElement>('[role="log"]')?.focus();
    // Not in the callbacks of `mutate`: this exchange is gone before the answer.
    const undo = () => restore.mutateAsync(task.id).catch(fail);
    remove.mutateAsync(task.id).then(() => {
      toast.success('Exchange deleted.', { action: { label: 'Undo', onClick: () => void undo() } });
    }, fail);
  };
}
