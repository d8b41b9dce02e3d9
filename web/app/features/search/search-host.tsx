import { Suspense, useEffect, useLayoutEffect } from 'react';
import { useAuth } from '../../lib/auth.tsx';
import { searchOpen } from '../../lib/search-open.ts';
import { type part, useReady } from '../../ui/part.tsx';
import { whenIdle } from '../../ui/when-idle.ts';

const close = () => searchOpen.set(false);

type Palette = ReturnType<typeof part<{ onClose: () => void }>>;

/** Listens for ⌘K and Ctrl+K on every signed-in page. Most don't need the palette, so it is loaded when it is first opened. */
export function SearchHost({ Palette }: { Palette: Palette }) {
  const { user } = useAuth();
  const open = searchOpen.useValue();
  const signedIn = user !== null;
  const isReady = useReady(Palette, signedIn && open);
  useEffect(
    () => (signedIn ? whenIdle(() => void Palette.load().catch(() => undefined)) : undefined),
    [signedIn, Palette],
  );
  // Before the page is painted, as for all keys that it names.
  useLayoutEffect(() => {
    if (!signedIn) return;
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.metaKey || event.ctrlKey) || event.altKey || event.shiftKey)
        return;
      event.preventDefault();
      searchOpen.set(true);
    };
    addEventListener('keydown', onKeyDown);
    return () => {
      removeEventListener('keydown', onKeyDown);
      searchOpen.set(false);
    };
  }, [signedIn]);
  if (!isReady) return null;
  return (
    <Suspense fallback={null}>
      <Palette onClose={close} />
    </Suspense>
  );
}
