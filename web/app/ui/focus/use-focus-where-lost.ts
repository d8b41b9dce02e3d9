import { type RefObject, useLayoutEffect, useRef } from 'react';

/** Where the focus goes when what had it is gone: the page, or the dialog around it. */
const NOBODY = 'body, [role=dialog], [role=alertdialog]';

/**
 * For what comes back in the place of something that was pressed and is gone: takes the focus when it appears while nothing has it, so
 * that who goes by keyboard is not sent back to the beginning.
 */
export function useFocusWhereLost<T extends HTMLElement>(): RefObject<T | null> {
  const ref = useRef<T>(null);
  useLayoutEffect(() => {
    if (document.activeElement?.matches(NOBODY) ?? true) ref.current?.focus();
  }, []);
  return ref;
}
