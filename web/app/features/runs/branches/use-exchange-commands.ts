import type { Task } from '@atelier/contract/runs';
import { useNavigateAfter } from '../../../lib/navigate-after.ts';
import { shareOpen } from '../../../lib/share-open.ts';
import { toastError } from '../../../lib/toast-error.ts';
import { MessageSquarePlus, Share2, Trash2 } from '../../../ui/icons/lucide.ts';
import type { MenuItem } from '../../../ui/overlay/menu.tsx';
import { toast } from '../../../ui/overlay/toast.tsx';
import { useContinue, useDeleteTask, useRestoreTask } from './branches.api.ts';

/** The lines behind "More" of an exchange that has ended; the palette shows those of the latest one. `mayRun` is false while another answer is written. */
export function useExchangeCommands(sessionId: string) {
  const navigateAfter = useNavigateAfter();
  const go = useContinue(sessionId);
  const remove = useRemoval(sessionId);
  const goOn = (task: Task) => {
    const open = navigateAfter();
    return go.mutateAsync(task.id).then(({ id }) => open(`/runtime?sessionId=${id}`), toastError);
  };
  return (task: Task, mayRun: boolean): MenuItem[] => [
    {
      id: 'continue',
      label: 'Continue in a new session',
      Icon: MessageSquarePlus,
      disabled: !mayRun || go.isPending,
      run: () => void goOn(task),
    },
    ...(task.message === ''
      ? []
      : [
          {
            id: 'share-answer',
            label: 'Share answer…',
            Icon: Share2,
            run: () => shareOpen.set({ sessionId, taskId: task.id }),
          },
        ]),
    {
      id: 'delete-exchange',
      label: 'Delete exchange',
      Icon: Trash2,
      danger: true,
      disabled: !mayRun,
      run: () => remove(task.id),
    },
  ];
}

/** Deletes at once and offers undo while the toast is shown. */
function useRemoval(sessionId: string) {
  const remove = useDeleteTask(sessionId);
  const restore = useRestoreTask(sessionId);
  return (taskId: string) => {
    // The button is about to go.
    document.querySelector<HTMLElement>('[role="log"]')?.focus();
    // Not in the callbacks of `mutate`: this exchange is gone before the answer.
    const undo = () => restore.mutateAsync(taskId).catch(toastError);
    remove.mutateAsync(taskId).then(() => toast.success('Exchange deleted.', { undo }), toastError);
  };
}
