import { useState } from 'react';
import { Layers } from '../../ui/icons/lucide.ts';
import { Popover } from '../../ui/overlay/popover.tsx';
import { part } from '../../ui/part.tsx';
import type { MemoryChipProps } from './memory-receipt.tsx';
import { hasReceipt, originsOf } from './receipt.ts';

const MemoryReceipt = part(() => import('./memory-receipt.tsx'));

/** Below an answer that used memory: where it came from, and the list on a press. Nothing without memory, unless a part could not be searched yet. */
export function MemoryChip(props: MemoryChipProps) {
  const { task } = props;
  const [open, setOpen] = useState(false);
  if (!hasReceipt(task)) return null;
  const origins = originsOf(task);
  return (
    <Popover
      label="Context Retrieved"
      open={open}
      onOpenChange={setOpen}
      className="w-[28rem]"
      trigger={
        <button
          type="button"
          aria-label={`Memory: ${origins}`}
          className="inline-flex min-h-8 items-center gap-1.5 rounded border px-2.5 text-muted text-sm hover:bg-sunken hover:text-ink aria-expanded:bg-sunken touch:min-h-11"
        >
          <Layers className="size-3.5" />
          {origins}
        </button>
      }
    >
      {/* The popover waits for the content: if it grew after opening, it would be squeezed into the room below the button. */}
      <MemoryReceipt {...props} onClose={() => setOpen(false)} />
    </Popover>
  );
}
