import { cloneElement, Suspense, useEffect, useState } from 'react';
import { part, useReady } from '../part.tsx';
import { whenIdle } from '../when-idle.ts';
import type { PopoverProps } from './popover-sheet.tsx';

// Most popovers are never opened; until then, only the button exists.
const PopoverSheet = part(() => import('./popover-sheet.tsx'));

/** A small sheet beside its button. Opens by itself, or as `open` says. */
export function Popover(props: PopoverProps) {
  const { trigger, open: requestedOpen, onOpenChange } = props;
  const [own, setOwn] = useState(false);
  const open = requestedOpen ?? own;
  const [opened, setOpened] = useState(open);
  if (open && !opened) setOpened(true);
  useEffect(() => whenIdle(() => void PopoverSheet.load().catch(() => undefined)), []);
  const change = (next: boolean) => {
    setOwn(next);
    onOpenChange?.(next);
  };
  const alone = cloneElement(trigger, {
    'aria-haspopup': 'dialog',
    'aria-expanded': open,
    onClick: () => change(true),
  });
  const isReady = useReady(PopoverSheet, opened);
  if (!isReady) return alone;
  return (
    <Suspense fallback={alone}>
      <PopoverSheet {...props} open={open} onOpenChange={change} />
    </Suspense>
  );
}
