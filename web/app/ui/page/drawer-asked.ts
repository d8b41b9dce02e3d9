import { useEffect } from 'react';

const listeners = new Set<() => void>();

/** Shows the sidebar where it is a drawer; where it is always shown, nothing happens. */
export function askForDrawer(): void {
  if (matchMedia('(min-width: 1024px)').matches) return;
  for (const listener of listeners) listener();
}

/** Calls `open` when the drawer is asked for. */
export function useDrawerAsked(open: () => void): void {
  useEffect(() => {
    listeners.add(open);
    return () => void listeners.delete(open);
  }, [open]);
}
