import { type RefObject, useEffect, useRef } from 'react';

interface State {
  /** Whether the exchange is among those on the page. */
  found: boolean;
  older: { has: boolean; loading: boolean; load: () => void };
  /** Lets go of the end of the conversation. */
  stop: () => void;
}

/** Brings one exchange into sight, once: older ones are loaded until it is there, and then it is scrolled to and shown for a moment. */
export function useSought(scroller: RefObject<HTMLElement | null>, soughtId: string | null, state: State): void {
  const shown = useRef<string | null>(null);
  const { found, older, stop } = state;
  const missing = soughtId !== null && !found && older.has && !older.loading;
  const { load } = older;
  useEffect(() => {
    // Once shown it may be let go of again, with what stood around it.
    if (missing && shown.current !== soughtId) load();
  }, [missing, load, soughtId]);
  useEffect(() => {
    if (soughtId === null || !found || shown.current === soughtId) return;
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
  }, [soughtId, found, scroller, stop]);
}
