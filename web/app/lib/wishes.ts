import { useEffect, useRef } from 'react';

/** A dialog of the workspace that something elsewhere asks for: another page, or the palette. */
export type Wish = 'new-session' | 'create-agent' | 'edit-agent';

let wished: Wish | null = null;
const listeners = new Set<() => void>();

/** Asks the workspace to open a dialog: at once, or when it is shown next. */
export function wishFor(wish: Wish): void {
  wished = wish;
  for (const listener of listeners) listener();
}

/** Fulfils wishes while the workspace is shown, each once. */
export function useWishes(fulfil: (wish: Wish) => void): void {
  const latest = useRef(fulfil);
  useEffect(() => {
    latest.current = fulfil;
  });
  useEffect(() => {
    const take = () => {
      const wish = wished;
      wished = null;
      if (wish !== null) latest.current(wish);
    };
    take();
    listeners.add(take);
    return () => void listeners.delete(take);
  }, []);
}
