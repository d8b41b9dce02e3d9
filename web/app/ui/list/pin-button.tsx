import { Pin } from 'lucide-react';
import { Button } from '../button.tsx';

export interface PinButtonProps {
  pinned: boolean;
  loading: boolean;
  onClick: () => void;
}

/** Pins an entry, or unpins it. */
export function PinButton({ pinned, loading, onClick }: PinButtonProps) {
  return (
    <Button size="sm" variant="ghost" aria-pressed={pinned} loading={loading} onClick={onClick}>
      <Pin aria-hidden="true" className={pinned ? 'size-4 fill-current' : 'size-4'} />
      {pinned ? 'Pinned' : 'Pin'}
    </Button>
  );
}
