import type { MemoryItem } from '@atelier/contract/memory';
import { useState } from 'react';
import { useAuth } from '../../lib/auth.tsx';
import { toastError } from '../../lib/toast-error.ts';
import { Button } from '../../ui/button.tsx';
import { useFocusWhenClosed } from '../../ui/focus/use-focus.ts';
import { toast } from '../../ui/overlay/toast.tsx';
import { FactEdit } from './fact-edit.tsx';
import { useForgetFact, useRestoreFact, useUpdateFact } from './facts.api.ts';

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
        toast.success('Forgotten. The agent no longer uses it.', { undo: () => undo(id) });
      }, toastError),
  };
}

/** Pro's actions on a fact in a receipt: correct, pin, forget. */
export function FactActions({ item }: { item: MemoryItem }) {
  const isPro = useAuth().me?.account.subscriptionStatus === 'pro';
  const [editing, setEditing] = useState(false);
  // A receipt says what was pinned then.
  const [isPinned, setPinned] = useState(item.pinned === true);
  const update = useUpdateFact();
  const { forget, isForgetting } = useForgetting();
  const { opener, closing } = useFocusWhenClosed();
  if (!isPro || item.kind !== 'fact') return null;
  if (editing) return <FactEdit id={item.id} text={item.text} onClose={() => closing(() => setEditing(false))} />;
  const pin = () =>
    update.mutate(
      { id: item.id, pinned: !isPinned },
      {
        onSuccess: () => {
          setPinned(!isPinned);
          toast.success(isPinned ? 'Unpinned.' : 'Pinned: the agent always knows this.');
        },
        onError: toastError,
      },
    );
  return (
    <>
      <Button ref={opener} size="sm" variant="ghost" onClick={() => setEditing(true)}>
        Correct
      </Button>
      <Button size="sm" variant="ghost" loading={update.isPending} onClick={pin}>
        {isPinned ? 'Unpin' : 'Pin'}
      </Button>
      <Button size="sm" variant="ghost" loading={isForgetting} onClick={() => forget(item.id)}>
        Forget
      </Button>
    </>
  );
}
