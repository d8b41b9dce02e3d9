import { useSyncExternalStore } from 'react';

/** A session to share, or one of its answers. */
export interface Shareable {
  sessionId: string;
  taskId?: string;
}

let open: Shareable | null = null;
const listeners = new Set<() => void>();

/** Opens the dialog that shares a session or an answer, or closes it; from anywhere in the workspace. */
export function setShareOpen(next: Shareable | null): void {
  open = next;
  for (const listener of listeners) listener();
}

/** What the open dialog shares; null while it is closed. */
export const useShareOpen = () =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => open,
    () => null,
  );
