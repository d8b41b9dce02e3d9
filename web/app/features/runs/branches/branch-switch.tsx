import type { Task } from '@atelier/contract/runs';
import type { KeyboardEvent } from 'react';
import { toastError } from '../../../lib/toast-error.ts';
import { IconButton } from '../../../ui/icon-button.tsx';
import { ChevronLeft, ChevronRight, type IconComponent } from '../../../ui/icons/lucide.ts';
import { toast } from '../../../ui/overlay/toast.tsx';
import { useChoose } from './branches.api.ts';

const WAIT = 'Wait for the answer or stop it first.';

/** ‹ 2 of 3 ›: the versions of a message and its answer. The arrow keys change between them too. Nothing where there is only one. */
export function BranchSwitch({ task, mayChange }: { task: Task; mayChange: boolean }) {
  const choose = useChoose(task.sessionId);
  const { siblings } = task;
  if (siblings.length < 2) return null;
  const at = siblings.indexOf(task.id);
  const go = (by: -1 | 1) => {
    const next = siblings[at + by];
    if (next === undefined || choose.isPending) return;
    if (!mayChange) toast.warning(WAIT);
    else choose.mutate(next, { onError: toastError });
  };
  const onKeyDown = ({ key }: KeyboardEvent) => {
    if (key === 'ArrowLeft') go(-1);
    if (key === 'ArrowRight') go(1);
  };
  const arrow = (by: -1 | 1, label: string, Icon: IconComponent) => (
    <IconButton
      size="sm"
      label={label}
      // Not `disabled`: the focus would be lost at either end.
      aria-disabled={siblings[at + by] === undefined || !mayChange || undefined}
      className="aria-disabled:cursor-not-allowed aria-disabled:opacity-50"
      onClick={() => go(by)}
      Icon={Icon}
    />
  );
  return (
    <fieldset aria-label="Versions of this message" className="flex items-center" onKeyDown={onKeyDown}>
      {arrow(-1, 'Previous version', ChevronLeft)}
      <span aria-live="polite" aria-atomic="true" className="min-w-12 text-center text-muted text-xs tabular-nums">
        {at + 1} of {siblings.length}
      </span>
      {arrow(1, 'Next version', ChevronRight)}
    </fieldset>
  );
}
