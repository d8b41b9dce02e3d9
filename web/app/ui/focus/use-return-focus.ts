import { useRef } from 'react';
import { isEngaged } from './is-engaged.ts';

/**
 * Returns the focus to where it was when a dialog opened. Radix does so only for a dialog's own trigger, and ours open from anywhere. A
 * field or menu that already has the focus keeps it. Where nothing had it, the dialog below or the page's content takes it.
 */
export function useReturnFocus() {
  const from = useRef<Element | null>(null);
  return {
    onOpenAutoFocus: () => {
      from.current = document.activeElement;
    },
    onCloseAutoFocus: (event: Event) => {
      event.preventDefault();
      if (!isEngaged() && from.current instanceof HTMLElement && from.current.isConnected) from.current.focus();
      if ([from.current, document.activeElement].every((at) => at === document.body)) focusTop();
    },
  };
}

const focusTop = () =>
  [...document.querySelectorAll<HTMLElement>('#content, [role=dialog][data-state=open]')].at(-1)?.focus();
