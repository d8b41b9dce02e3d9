import { type RefObject, useRef } from 'react';
import { flushSync } from 'react-dom';

/**
 * For something that a button opened in its own place: `closing` makes the change that closes it and focuses the button, which may only
 * have reappeared with that change.
 */
export function useFocusWhenClosed(): {
  opener: RefObject<HTMLButtonElement | null>;
  closing: (change: () => void) => void;
} {
  const opener = useRef<HTMLButtonElement>(null);
  const closing = (change: () => void) => {
    flushSync(change);
    opener.current?.focus();
  };
  return { opener, closing };
}
