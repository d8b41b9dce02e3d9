import { Popover as Radix } from 'radix-ui';
import type { ComponentProps, ReactElement, ReactNode } from 'react';
import { classes } from '../classes.ts';
import { InUnsavedArea, useUnsavedArea } from './unsaved.tsx';

export interface PopoverProps {
  /** The button that opens it. */
  trigger: ReactElement<ComponentProps<'button'>>;
  /** The popover's name for screen readers. */
  label: string;
  children: ReactNode;
  open?: boolean;
  onOpenChange?: (open: boolean) => void;
  className?: string;
}

/** A popover that has been opened: its button and its sheet. */
export default function PopoverSheet({ trigger, label, children, open, onOpenChange, className }: PopoverProps) {
  const area = useUnsavedArea();
  const change = (next: boolean) => (next ? onOpenChange?.(true) : area.leave(() => onOpenChange?.(false)));
  return (
    <Radix.Root open={open} onOpenChange={change}>
      <Radix.Trigger asChild>{trigger}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          aria-label={label}
          align="start"
          side="bottom"
          sideOffset={8}
          collisionPadding={12}
          // The header says whose answer this is.
          collisionBoundary={document.getElementById('content') ?? []}
          className={classes(
            'z-50 max-h-(--radix-popover-content-available-height) max-w-[min(28rem,calc(100vw-1.5rem))] overflow-y-auto',
            'animate-fade rounded-lg border bg-raised p-4 text-ink shadow-raised',
            className,
          )}
        >
          <InUnsavedArea value={area}>{children}</InUnsavedArea>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
