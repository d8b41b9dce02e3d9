import { useEffect } from 'react';
import { useLatest } from '../list/use-latest.ts';
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

const above: (() => void)[] = [];

/** Notes how a dialog is closed while it is open: it may lie above the drawer. */
export function useAboveDrawer(open: boolean, onClose: () => void): void {
  const latest = useLatest(onClose);
  useEffect(() => {
    if (!open) return;
    const close = () => latest.current();
    above.push(close);
    return () => void above.splice(above.indexOf(close), 1);
  }, [open, latest]);
}

/** Closes the drawer, or first a dialog above it; undefined while there is no drawer. Back on a phone means what lies on top. */
export const drawerCloser = (): (() => void) | undefined => closeOpen && (above.at(-1) ?? closeOpen);

/** Options of a navigation that follows an answer and not a press: a drawer that was opened meanwhile stays. */
export const BEHIND_DRAWER = { state: { behindDrawer: true } };

/** Whether an entry of the history was reached with `BEHIND_DRAWER`. */
export const isBehindDrawer = (state: unknown): boolean =>
  typeof state === 'object' && state !== null && 'behindDrawer' in state;
