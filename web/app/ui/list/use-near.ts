import { type RefObject, startTransition, useEffect, useRef, useState } from 'react';

/**
 * Whether the element has come near the window: a long list or conversation renders only what is read. It also has once it `isWanted`, for
 * example because it gets the focus.
 */
export function useNear<E extends Element = HTMLDivElement>(isWanted = false): [RefObject<E | null>, boolean] {
  const box = useRef<E>(null);
  const [isNear, setNear] = useState(isWanted);
  if (isWanted && !isNear) setNear(true);
  useEffect(() => (isNear || !box.current ? undefined : watch(box.current, () => setNear(true))), [isNear]);
  return [box, isNear];
}

/** In boxes that scroll, too; browsers that don't know that margin notice the element when it comes into sight. */
const NEAR = { rootMargin: '100%', scrollMargin: '100%' };

const watched = new WeakMap<Element, () => void>();
let observer: IntersectionObserver | undefined;

/** Calls back when the element comes near; returns a function that stops. One observer for all: a list may have hundreds. */
function watch(element: Element, onNear: () => void): () => void {
  observer ??= new IntersectionObserver((seen) => {
    // In short pieces: several come near at once.
    startTransition(() => {
      for (const { isIntersecting, target } of seen) if (isIntersecting) watched.get(target)?.();
    });
  }, NEAR);
  watched.set(element, onNear);
  observer.observe(element);
  return () => observer?.unobserve(element);
}
