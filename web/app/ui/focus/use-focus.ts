import { type RefObject, useLayoutEffect, useRef } from 'react';
import { flushSync } from 'react-dom';

/**
 * For a part whose buttons change with its state: when `state` changes and the pressed button is gone, the element takes the focus, so
 * keyboard users don't start again at the top. Nothing happens unless `enabled`.
 */
export function useFocusOnChange<T extends HTMLElement>(state: string, enabled: boolean): RefObject<T | null> {
  const ref = useRef<T>(null);
  const isEnabled = useRef(enabled);
  useLayoutEffect(() => {
    isEnabled.current = enabled;
  }, [enabled]);
  useLayoutEffect(() => {
    if (state !== '' && isEnabled.current && document.activeElement === document.body) ref.current?.focus();
  }, [state]);
  return ref;
}

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

const FOCUSABLE = 'a[href], button, input, select, summary, textarea, [tabindex="0"]';

/** For an element that disappears while focused: moves focus to the nearest focusable element, so keyboard users keep their place. */
export function useFocusPassedOn<T extends HTMLElement>(to: 'before' | 'after'): RefObject<T | null> {
  const ref = useRef<T>(null);
  useLayoutEffect(() => {
    const own = ref.current;
    return () => {
      if (!own?.contains(document.activeElement)) return;
      const side = to === 'before' ? Node.DOCUMENT_POSITION_PRECEDING : Node.DOCUMENT_POSITION_FOLLOWING;
      const others = [...document.querySelectorAll<HTMLElement>(FOCUSABLE)].filter(
        (other) => own.compareDocumentPosition(other) === side,
      );
      // Folded or disabled elements can't take focus.
      for (const other of to === 'before' ? others.toReversed() : others) {
        other.focus();
        if (document.activeElement === other) return;
      }
    };
  }, [to]);
  return ref;
}

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
