import { type RefObject, useRef } from 'react';
import { flushSync } from 'react-dom';

/**
 * For what a button opened in its own place: `closing` makes the change that closes it, and gives the focus to the button, which that
 * change may only just have brought back.
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
