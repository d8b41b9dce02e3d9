import { type RefObject, useLayoutEffect, useRef } from 'react';

/** Where the focus goes when its element disappears: the page, or the dialog around it. */
const NOBODY = 'body, [role=dialog], [role=alertdialog]';

/** For what replaces a pressed element: takes the focus if nothing else has it, so keyboard users don't start again at the top. */
export function useFocusWhereLost<T extends HTMLElement>(): RefObject<T | null> {
  const ref = useRef<T>(null);
  useLayoutEffect(() => {
    if (document.activeElement?.matches(NOBODY) ?? true) ref.current?.focus();
  }, []);
  return ref;
}
