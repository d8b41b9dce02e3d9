import { useSyncExternalStore } from 'react';

/** A value outside of the components, which any part of the page reads and sets. */
export function createShared<T>(initial: T) {
  let now = initial;
  const listeners = new Set<() => void>();
  const subscribe = (listener: () => void) => {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  };
  return {
    set(next: T): void {
      now = next;
      for (const listener of listeners) listener();
    },
    useValue: () =>
      useSyncExternalStore(
        subscribe,
        () => now,
        () => initial,
      ),
  };
}
