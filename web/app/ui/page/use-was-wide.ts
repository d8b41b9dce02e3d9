import { useState, useSyncExternalStore } from 'react';

/** The width at which the sidebar is beside the content; the same as the classes' `lg`. */
const WIDE = '(min-width: 64rem)';

function subscribe(listener: () => void) {
  const wide = matchMedia(WIDE);
  wide.addEventListener('change', listener);
  return () => wide.removeEventListener('change', listener);
}

/**
 * Whether the window is wide enough for a sidebar beside the content, or was since the page opened: a narrow window need not render one that
 * it hides, and one that becomes narrow keeps what was typed there.
 */
export function useWasWide(): boolean {
  const isWide = useSyncExternalStore(
    subscribe,
    () => matchMedia(WIDE).matches,
    () => true,
  );
  const [was, setWas] = useState(isWide);
  if (isWide && !was) setWas(true);
  return isWide || was;
}
