import { lazy, Suspense, useEffect } from 'react';
import { useAuth } from '../../lib/auth.tsx';
import { setSearchOpen, useSearchOpen } from '../../lib/search-open.ts';

// The palette is fetched when it is first opened: most pages are looked at without it.
const SearchPalette = lazy(() => import('./search-palette.tsx'));

/** Listens for ⌘K and Ctrl+K on every page of a signed-in person. */
export function SearchHost() {
  const { user } = useAuth();
  const open = useSearchOpen();
  const signedIn = user !== null;
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
