import { useRef } from 'react';

/**
 * Returns the focus to where it was when a dialog opened. Radix does so only for a dialog's own trigger, and ours open from anywhere. A
 * field that is already focused keeps it.
 */
export function useReturnFocus() {
  const from = useRef<Element | null>(null);
  return {
    onOpenAutoFocus: () => {
      from.current = document.activeElement;
    },
    onCloseAutoFocus: (event: Event) => {
      event.preventDefault();
      const typing = document.activeElement?.matches('input, textarea, select');
      if (!typing && from.current instanceof HTMLElement && from.current.isConnected) from.current.focus();
    },
  };
}
