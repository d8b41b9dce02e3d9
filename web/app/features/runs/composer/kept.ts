/** As much of a browser's storage as drafts and the outbox use. */
export type KeyValue = Pick<Storage, 'getItem' | 'setItem' | 'removeItem' | 'key' | 'length'>;

/** The tab's own storage, or null where there is none (at build time) or the browser refuses it. */
export function tabStorage(): KeyValue | null {
  try {
    return typeof sessionStorage === 'undefined' ? null : sessionStorage;
  } catch {
    return null;
  }
}

/** Listeners of a small store, in the shape that `useSyncExternalStore` wants. */
export function createListeners() {
  const all = new Set<() => void>();
  return {
    subscribe(listener: () => void) {
      all.add(listener);
      return () => void all.delete(listener);
    },
    tell() {
      for (const listener of all) listener();
    },
  };
}
