import { useEffect } from 'react';
import { useLatest } from '../ui/list/use-latest.ts';
import { createListeners } from '../ui/shared-value.ts';

/** Something that a part of the workspace does, asked for elsewhere: on another page, or in the palette. */
export type Wish = 'new-session' | 'create-agent' | 'edit-agent' | 'select-sessions' | 'edit-message';

let wished: Wish | null = null;
const listeners = createListeners();

/** Asks the workspace for it: at once, or when it is shown next. */
export function wishFor(wish: Wish): void {
  wished = wish;
  listeners.tell();
}

/** Forgets a wish that waits for a page which isn't entered now. */
export function dropWish(): void {
  wished = null;
}

/** Fulfils wishes of these kinds while the component is shown, each once. */
export function useWishes<W extends Wish>(kinds: readonly W[], fulfil: (wish: W) => void): void {
  const latest = useLatest({ kinds, fulfil });
  useEffect(() => {
    const take = () => {
      const wish = latest.current.kinds.find((kind) => kind === wished);
      if (wish === undefined) return;
      wished = null;
      latest.current.fulfil(wish);
    };
    take();
    return listeners.subscribe(take);
  }, [latest]);
}
