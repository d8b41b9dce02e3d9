import { type RefObject, useRef } from 'react';
import { flushSync } from 'react-dom';

/** For what a button opens in its own place: `closing` makes the change that closes it, then focuses the button, which may be new. */
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
