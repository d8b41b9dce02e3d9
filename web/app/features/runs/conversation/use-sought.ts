import { type RefObject, useEffect, useRef } from 'react';

interface State {
  /** Whether the exchange is on the page. */
  isThere: boolean;
  older: { has: boolean; loading: boolean; load: () => void };
  /** Stops following the end of the conversation. */
  stop: () => void;
}

/** Shows one exchange, once: loads older ones until it is there, scrolls to it and highlights it for a moment. */
export function useSought(scroller: RefObject<HTMLElement | null>, soughtId: string | null, state: State): void {
  const shown = useRef<string | null>(null);
  const { isThere, older, stop } = state;
  const missing = soughtId !== null && !isThere && older.has && !older.loading;
  const { load } = older;
  useEffect(() => {
    // Once shown, it may be dropped again together with its page.
    if (missing && shown.current !== soughtId) load();
  }, [missing, load, soughtId]);
  useEffect(() => {
    if (soughtId === null || !isThere || shown.current === soughtId) return;
    shown.current = soughtId;
    stop();
    const exchange = scroller.current?.querySelector<HTMLElement>(`[data-task="${CSS.escape(soughtId)}"]`);
    if (!exchange) return;
    exchange.scrollIntoView({ block: 'start' });
    exchange.dataset.sought = '';
    const timer = setTimeout(() => delete exchange.dataset.sought, 3000);
    return () => {
      clearTimeout(timer);
      delete exchange.dataset.sought;
    };
  }, [soughtId, isThere, scroller, stop]);
}
