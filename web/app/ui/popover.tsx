import { Popover as Radix } from 'radix-ui';
import type { ReactNode } from 'react';
import { classes } from './classes.ts';

export interface PopoverProps {
  /** The button that opens it. */
  trigger: ReactNode;
  /** Names the popover for readers. */
  label: string;
  children: ReactNode;
  open?: boolean;
  onOpenChange?: (open: boolean) => void;
  align?: 'start' | 'center' | 'end';
  side?: 'top' | 'right' | 'bottom' | 'left';
  className?: string;
}

/** A small sheet beside its button. Opens by itself, or as `open` says. */
export function Popover({ trigger, label, children, open, onOpenChange, align, side, className }: PopoverProps) {
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange}>
      <Radix.Trigger asChild>{trigger}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          aria-label={label}
          align={align ?? 'start'}
          side={side ?? 'bottom'}
          sideOffset={8}
          collisionPadding={12}
          className={classes(
            'z-50 max-h-(--radix-popover-content-available-height) max-w-[min(28rem,calc(100vw-1.5rem))] overflow-y-auto',
            'animate-fade rounded-lg border bg-raised p-4 text-ink shadow-raised',
            className,
          )}
        >
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
