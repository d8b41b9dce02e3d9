import { toastError } from '../../lib/toast-error.ts';
import { toast } from '../../ui/overlay/toast.tsx';
import { useForgetFact, useRestoreFact } from './facts.api.ts';

/** Forgets a fact at once and offers undo while the toast is shown. `onGone` runs when it is gone. */
export function useForgetting(onGone: () => void = () => {}) {
  const forget = useForgetFact();
  const restore = useRestoreFact();
  // Not in the callbacks of `mutate`: the row may be gone before the answer.
  const undo = (id: string) => restore.mutateAsync(id).then(() => toast.success('The fact is back.'), toastError);
  return {
    isForgetting: forget.isPending,
    forget: (id: string) =>
      void forget.mutateAsync(id).then(() => {
        onGone();
        toast.success('Forgotten. The agent no longer uses it.', {
          action: { label: 'Undo', onClick: () => void undo(id) },
        });
      }, toastError),
  };
}
