import { type ReactNode, useDeferredValue } from 'react';

/** Renders its content in short pieces, between which the page stays usable; shows `fallback` until all of it is there. */
export function InPieces({ fallback, children }: { fallback: ReactNode; children: ReactNode }) {
  return useDeferredValue(true, false) ? children : fallback;
}
