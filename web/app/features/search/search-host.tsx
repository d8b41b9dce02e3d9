import { SENTENCES } from '@atelier/contract/errors';
import { type ComponentType, useEffect, useLayoutEffect, useState } from 'react';
import { useAuth } from '../../lib/auth.tsx';
import { connection } from '../../lib/live/connection.ts';
import { searchOpen } from '../../lib/search-open.ts';
import { toast } from '../../ui/overlay/toast.tsx';
import { whenIdle } from '../../ui/when-idle.ts';

type Palette = ComponentType<{ onClose: () => void }>;
type FetchPalette = () => Promise<{ default: Palette }>;

/** The palette is loaded when it is first opened, because most pages don't need it. */
function FetchedPalette({ onClose, fetchPalette }: { onClose: () => void; fetchPalette: FetchPalette }) {
  const [Palette, setPalette] = useState<Palette>();
  useEffect(() => {
    fetchPalette().then(
      (module) => setPalette(() => module.default),
      () => {
        onClose();
        connection.suspect();
        toast.warning(SENTENCES.offline);
      },
    );
  }, [onClose, fetchPalette]);
  return Palette && <Palette onClose={onClose} />;
}

const close = () => searchOpen.set(false);

/** Listens for ⌘K and Ctrl+K on every signed-in page. */
export function SearchHost({ fetchPalette }: { fetchPalette: FetchPalette }) {
  const { user } = useAuth();
  const open = searchOpen.useValue();
  const signedIn = user !== null;
  useEffect(
    () => (signedIn ? whenIdle(() => void fetchPalette().catch(() => undefined)) : undefined),
    [signedIn, fetchPalette],
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
  return signedIn && open ? <FetchedPalette onClose={close} fetchPalette={fetchPalette} /> : null;
}
