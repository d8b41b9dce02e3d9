import { type RefObject, useLayoutEffect, useRef } from 'react';

/**
 * Keeps the reader's place when older exchanges appear above it. `firstId` is the oldest exchange on the page; does nothing in browsers
 * that anchor scrolling themselves.
 */
export function useKeepPlace(scroller: RefObject<HTMLElement | null>, firstId: string | undefined): void {
  const place = useRef<{ id: string; top: number } | null>(null);

  useLayoutEffect(() => {
    const box = scroller.current;
    if (!box) return;
    const find = (id: string) => box.querySelector<HTMLElement>(`[data-task="${CSS.escape(id)}"]`);
    const before = place.current;
    if (before && before.id !== firstId) {
      const moved = (find(before.id)?.getBoundingClientRect().top ?? before.top) - before.top;
      box.style.overflowAnchor = 'none';
      box.scrollTop += moved;
      requestAnimationFrame(() => {
        box.style.overflowAnchor = '';
      });
    }
    const note = () => {
      const first = firstId === undefined ? null : find(firstId);
      place.current = first && firstId !== undefined ? { id: firstId, top: first.getBoundingClientRect().top } : null;
    };
    // Later, when the layout is known anyway.
    const timer = setTimeout(note);
    box.addEventListener('scroll', note, { passive: true });
    return () => {
      clearTimeout(timer);
      box.removeEventListener('scroll', note);
    };
  }, [firstId, scroller]);
}
