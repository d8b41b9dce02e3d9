import { type RefObject, useLayoutEffect, useRef } from 'react';

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
