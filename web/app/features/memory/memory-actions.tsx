import type { MemoryItem } from '@atelier/contract/memory';
import { useState } from 'react';
import { useAuth } from '../../lib/auth.tsx';
import { toastError } from '../../lib/toast-error.ts';
import { Button } from '../../ui/button.tsx';
import { useFocusWhenClosed } from '../../ui/focus/use-focus-when-closed.ts';
import { toast } from '../../ui/overlay/toast.tsx';
import { ForgetQuestion } from './forget-question.tsx';
import { useForgetMemories, useReadMemory, useUpdateMemory } from './memory.api.ts';
import { MemoryEdit } from './memory-edit.tsx';

/** Pro's actions on a recalled memory: edit, pin, forget. */
export function MemoryActions({ item }: { item: MemoryItem }) {
  const isPro = useAuth().me?.account.subscriptionStatus === 'pro';
  const [open, setOpen] = useState<'none' | 'edit' | 'forget'>('none');
  const update = useUpdateMemory();
  const forget = useForgetMemories();
  // The receipt may have only some of its sentences.
  const whole = useReadMemory();
  const { opener, closing } = useFocusWhenClosed();
  const close = () => closing(() => setOpen('none'));
  if (!isPro || item.kind === 'file' || item.kind === 'fact') return null;
  const pin = (pinned: boolean) =>
    update.mutate(
      { id: item.id, pinned },
      {
        onSuccess: () =>
          pinned
            ? toast.success('Pinned: the agent always sees this memory.', {
                action: { label: 'Undo', onClick: () => pin(false) },
              })
            : toast.success('Unpinned.'),
        onError: toastError,
      },
    );
  const answer = (sure: boolean) => {
    setOpen('none');
    if (sure) {
      // `mutateAsync`, because a notice may take the buttons away before the request is answered.
      forget.mutateAsync([item.id]).then(() => toast.success('Forgotten.'), toastError);
    }
  };
  const edit = () =>
    whole.mutate(item.id, {
      onSuccess: () => setOpen('edit'),
      onError: toastError,
    });
  if (open === 'edit' && whole.data) return <MemoryEdit id={item.id} text={whole.data.text} onClose={close} />;
  return (
    <>
      <Button ref={opener} size="sm" variant="ghost" loading={whole.isPending} onClick={edit}>
        Edit
      </Button>
      <Button size="sm" variant="ghost" loading={update.isPending} onClick={() => pin(true)}>
        Pin
      </Button>
      <Button size="sm" variant="ghost" loading={forget.isPending} onClick={() => setOpen('forget')}>
        Forget
      </Button>
      <ForgetQuestion count={open === 'forget' ? 1 : 0} onAnswer={answer} />
    </>
  );
}
