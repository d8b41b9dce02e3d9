import { type Shareable, shareOpen } from '../../lib/share-open.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { Share2 } from '../../ui/icons/lucide.ts';

/** Opens the dialog that shares a session or an answer. */
export function ShareButton({ shared, label, size = 'sm' }: { shared: Shareable; label: string; size?: 'md' | 'sm' }) {
  return (
    <IconButton size={size} label={label} aria-haspopup="dialog" onClick={() => shareOpen.set(shared)} Icon={Share2} />
  );
}
