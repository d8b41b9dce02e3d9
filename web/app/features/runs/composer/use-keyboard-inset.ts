import { type RefObject, useEffect } from 'react';

/** Lifts an element above the on-screen keyboard if the browser lays it over the page (iOS). */
export function useKeyboardInset(element: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const view = window.visualViewport;
    if (!view) return;
    const lift = () => {
      if (!element.current) return;
      // A pinch-zoomed page also shows less of itself, but hides nothing behind a keyboard.
      const hidden = view.scale > 1.01 ? 0 : Math.max(0, window.innerHeight - view.height - view.offsetTop);
      element.current.style.paddingBottom = hidden > 40 ? `${hidden}px` : '';
    };
    view.addEventListener('resize', lift);
    view.addEventListener('scroll', lift);
    return () => {
      view.removeEventListener('resize', lift);
      view.removeEventListener('scroll', lift);
    };
  }, [element]);
}
