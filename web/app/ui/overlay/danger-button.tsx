import { useState } from 'react';
import { Button } from '../button.tsx';
import { AlertDialog, type AlertDialogProps } from './alert-dialog.tsx';

export interface DangerButtonProps extends Pick<AlertDialogProps, 'title' | 'body' | 'confirmLabel' | 'onConfirm'> {
  children: string;
  /** For rows of a list: what the button would destroy. */
  label?: string;
  size?: 'md' | 'sm' | undefined;
  loading: boolean;
}

/** A button that destroys something, once its question is answered. */
export function DangerButton({ children, label, size = 'sm', loading, ...question }: DangerButtonProps) {
  const [open, onOpenChange] = useState(false);
  return (
    <>
      <Button
        variant="ghost"
        size={size}
        className="text-danger"
        aria-label={label}
        loading={loading}
        onClick={() => onOpenChange(true)}
      >
        {children}
      </Button>
      <AlertDialog open={open} onOpenChange={onOpenChange} danger {...question} />
    </>
  );
}
