import { type RefObject, useLayoutEffect, useRef } from 'react';

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
