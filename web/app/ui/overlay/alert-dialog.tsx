import { AlertDialog as Radix } from 'radix-ui';
import type { ReactNode } from 'react';
import { Button } from '../button.tsx';
import { classes } from '../classes.ts';
import { useReturnFocus } from '../focus/use-return-focus.ts';
import { overlayClass, sheetClass } from './sheet-classes.ts';

export interface AlertDialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: ReactNode;
  body: ReactNode;
  confirmLabel: string;
  /** With null there is nothing to decide, and one button closes the dialog. */
  cancelLabel?: string | null;
  onConfirm: () => void;
  /** The action destroys something. */
  danger?: boolean;
}

/** A question that must be answered (role `alertdialog`); Esc declines, clicking outside does nothing. */
export function AlertDialog(props: AlertDialogProps) {
  const { open, onOpenChange, title, body, confirmLabel, cancelLabel = 'Cancel', onConfirm, danger = false } = props;
  const focus = useReturnFocus();
  // Radix focuses the declining button; with nothing to decide, that is the only one.
  const Confirm = cancelLabel === null ? Radix.Cancel : Radix.Action;
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange}>
      <Radix.Portal>
        <Radix.Overlay className={overlayClass} />
        <Radix.Content {...focus} className={classes(sheetClass, 'gap-4 p-5 sm:max-w-md')}>
          <div className="flex flex-col gap-1">
            <Radix.Title className="font-semibold text-lg">{title}</Radix.Title>
            <Radix.Description className="text-muted">{body}</Radix.Description>
          </div>
          <div className="flex flex-wrap justify-end gap-2">
            {cancelLabel !== null && (
              <Radix.Cancel asChild>
                <Button>{cancelLabel}</Button>
              </Radix.Cancel>
            )}
            <Confirm asChild>
              <Button variant={danger ? 'danger' : 'primary'} onClick={onConfirm}>
                {confirmLabel}
              </Button>
            </Confirm>
          </div>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
