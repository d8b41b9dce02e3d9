import { useEffect } from 'react';
import { createListeners } from '../shared-value.ts';

const listeners = createListeners();

/** Shows the sidebar where it is a drawer; where it is always shown, nothing happens. */
export function askForDrawer(): void {
  listeners.tell();
}

/** Calls `open` when the drawer is asked for. */
export function useDrawerRequest(open: () => void): void {
  useEffect(() => listeners.subscribe(open), [open]);
}

let closeOpen: (() => void) | undefined;

/** Notes how the open drawer is closed; returns a function for when it is. */
export function noteDrawer(close: () => void): () => void {
  closeOpen = close;
  return () => {
    closeOpen = undefined;
  };
}

/** Closes the drawer; undefined while there is none. Back on a phone means what lies on top. */
export const drawerCloser = (): (() => void) | undefined => closeOpen;

/** Options of a navigation that follows an answer and not a press: a drawer that was opened meanwhile stays. */
export const BEHIND_DRAWER = { state: { behindDrawer: true } };

/** Whether an entry of the history was reached with `BEHIND_DRAWER`. */
export const isBehindDrawer = (state: unknown): boolean =>
  typeof state === 'object' && state !== null && 'behindDrawer' in state;
