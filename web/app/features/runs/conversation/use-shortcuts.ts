import { type RefObject, useLayoutEffect } from 'react';
import { useLatest } from '../../../ui/list/use-latest.ts';

const TYPING = 'input, textarea, select, [contenteditable]';
const ABOVE = '[role="dialog"], [role="alertdialog"]';

/** `/` focuses the composer, and Esc stops the answer, unless something above the page needs the key. */
export function useShortcuts(field: RefObject<HTMLTextAreaElement | null>, onStop: (() => void) | undefined): void {
  const stop = useLatest(onStop);
  // Before the composer is painted: who sees it can press the key.
  useLayoutEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.defaultPrevented || document.querySelector(ABOVE)) return;
      const typing = event.target instanceof Element && event.target.closest(TYPING) !== null;
      if (event.key === 'Escape' && stop.current) {
        event.preventDefault();
        stop.current();
      }
      if (event.key === '/' && !typing && !event.ctrlKey && !event.metaKey && !event.altKey && field.current) {
        event.preventDefault();
        field.current.focus();
      }
    };
    addEventListener('keydown', onKeyDown);
    return () => removeEventListener('keydown', onKeyDown);
  }, [field, stop]);
}
