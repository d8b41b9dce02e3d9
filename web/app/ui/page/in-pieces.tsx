import { type ReactNode, startTransition, useEffect, useState } from 'react';

/**
 * Renders its content in short pieces, between which the page stays usable; shows `fallback` until all of it is there. One in the content of
 * another comes a frame later: React would show both at once if they only deferred a value.
 */
export function InPieces({ fallback, children }: { fallback: ReactNode; children: ReactNode }) {
  const [isShown, setShown] = useState(false);
  useEffect(() => startTransition(() => setShown(true)), []);
  return isShown ? children : fallback;
}
