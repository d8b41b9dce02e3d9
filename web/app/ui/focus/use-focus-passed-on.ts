import { type RefObject, useLayoutEffect, useRef } from 'react';

const FOCUSABLE = 'a[href], button, input, select, summary, textarea, [tabindex="0"]';

/**
 * For what goes away while it has the focus: passes it to the nearest that can take it before or after, so that who goes by keyboard
 * stays where they were.
 */
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
      // What is folded away or disabled does not take it.
      for (const other of to === 'before' ? others.toReversed() : others) {
        other.focus();
        if (document.activeElement === other) return;
      }
    };
  }, [to]);
  return ref;
}
