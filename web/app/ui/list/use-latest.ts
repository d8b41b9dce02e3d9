import { type RefObject, useLayoutEffect, useRef } from 'react';

/** Holds what was rendered last, for effects and listeners that outlive a rendering. */
export function useLatest<T>(value: T): RefObject<T> {
  const latest = useRef(value);
  useLayoutEffect(() => {
    latest.current = value;
  });
  return latest;
}
