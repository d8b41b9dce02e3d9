import { type RefObject, useEffect, useRef, useState } from 'react';

/** Whether the element has come near the window: a long conversation colours and draws only what is read. */
export function useNear(): [RefObject<HTMLDivElement | null>, boolean] {
  const box = useRef<HTMLDivElement>(null);
  const [isNear, setNear] = useState(false);
  useEffect(() => {
    if (isNear || !box.current) return;
    const observer = new IntersectionObserver((seen) => seen.some((s) => s.isIntersecting) && setNear(true), {
      rootMargin: '100%',
    });
    observer.observe(box.current);
    return () => observer.disconnect();
  }, [isNear]);
  return [box, isNear];
}
