import { useSyncExternalStore } from 'react';

let open = false;
const listeners = new Set<() => void>();

/** Opens or closes the search, from anywhere on the page. */
export function setSearchOpen(next: boolean): void {
  open = next;
  for (const listener of listeners) listener();
}

/** Whether the search is open. */
export const useSearchOpen = () =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => open,
    () => false,
  );
