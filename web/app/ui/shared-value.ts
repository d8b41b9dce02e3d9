import { useSyncExternalStore } from 'react';

/** Those who want to hear of something, as `useSyncExternalStore` needs them. */
export function createListeners<Payload extends unknown[] = []>() {
  const all = new Set<(...payload: Payload) => void>();
  return {
    /** Calls `listener` from now on. Returns a function that stops. */
    subscribe(listener: (...payload: Payload) => void) {
      all.add(listener);
      return () => void all.delete(listener);
    },
    tell(...payload: Payload) {
      for (const listener of all) listener(...payload);
    },
  };
}

/** A value outside of the components, which any part of the page reads and sets. */
export function createShared<T>(initial: T) {
  let now = initial;
  const listeners = createListeners();
  const read = () => now;
  return {
    read,
    set(next: T): void {
      now = next;
      listeners.tell();
    },
    useValue: () => useSyncExternalStore(listeners.subscribe, read, () => initial),
  };
}
