import { lazy, Suspense, useEffect } from 'react';
import { useAuth } from '../../lib/auth.tsx';
import { setSearchOpen, useSearchOpen } from '../../lib/search-open.ts';
import { whenIdle } from '../../ui/when-idle.ts';

// The palette is fetched when it is first opened: most pages are looked at without it.
const fetchPalette = () => import('./search-palette.tsx');
const SearchPalette = lazy(fetchPalette);

/** Listens for ⌘K and Ctrl+K on every page of a signed-in person. */
export function SearchHost() {
  const { user } = useAuth();
  const open = useSearchOpen();
  const signedIn = user !== null;
  useEffect(() => (signedIn ? whenIdle(() => void fetchPalette().catch(() => undefined)) : undefined), [signedIn]);
  useEffect(() => {
    if (!signedIn) return;
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.metaKey || event.ctrlKey) || event.altKey || event.shiftKey)
        return;
      event.preventDefault();
      setSearchOpen(true);
    };
    addEventListener('keydown', onKeyDown);
    return () => {
      removeEventListener('keydown', onKeyDown);
      setSearchOpen(false);
    };
  }, [signedIn]);
  if (!signedIn || !open) return null;
  return (
    <Suspense fallback={null}>
      <SearchPalette onClose={() => setSearchOpen(false)} />
    </Suspense>
  );
}
