import { Button } from '../button.tsx';
import { Pin } from '../icons/lucide.ts';

/** Pins an entry, or unpins it. */
export function PinButton({ pinned, loading, onClick }: { pinned: boolean; loading: boolean; onClick: () => void }) {
  return (
    <Button size="sm" variant="ghost" aria-pressed={pinned} loading={loading} onClick={onClick}>
      <Pin className={pinned ? 'size-4 fill-current' : 'size-4'} />
      {pinned ? 'Pinned' : 'Pin'}
    </Button>
  );
}
