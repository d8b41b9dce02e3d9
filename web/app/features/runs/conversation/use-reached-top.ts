import { type RefObject, useEffect, useRef } from 'react';
import { useLatest } from '../../../ui/list/use-latest.ts';

/** Calls `onReach` when the returned element comes within a few screens of being visible, if `armed`. */
export function useReachedTop(scroller: RefObject<HTMLElement | null>, armed: boolean, onReach: () => void) {
  const mark = useRef<HTMLDivElement>(null);
  const reach = useLatest(onReach);
  useEffect(() => {
    if (!armed || !mark.current) return;
    const observer = new IntersectionObserver((seen) => seen.some((s) => s.isIntersecting) && reach.current(), {
      root: scroller.current,
      rootMargin: '2000px 0px 0px',
    });
    observer.observe(mark.current);
    return () => observer.disconnect();
  }, [armed, scroller, reach]);
  return mark;
}
