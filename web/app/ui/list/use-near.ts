import { type RefObject, startTransition, useEffect, useRef, useState } from 'react';

/**
 * Whether the element has come near the window: a long list or conversation renders only what is read. It also has once it `isWanted`, for
 * example because it gets the focus.
 */
export function useNear<E extends Element = HTMLDivElement>(isWanted = false): [RefObject<E | null>, boolean] {
  const box = useRef<E>(null);
  const [isNear, setNear] = useState(isWanted);
  if (isWanted && !isNear) setNear(true);
  useEffect(() => {
    if (isNear || !box.current) return;
    // In short pieces: several come near at once.
    const observer = new IntersectionObserver(
      (seen) => seen.some((s) => s.isIntersecting) && startTransition(() => setNear(true)),
      NEAR,
    );
    observer.observe(box.current);
    return () => observer.disconnect();
  }, [isNear]);
  return [box, isNear];
}

/** In boxes that scroll, too; browsers that don't know that margin notice the element when it comes into sight. */
const NEAR = { rootMargin: '100%', scrollMargin: '100%' };
