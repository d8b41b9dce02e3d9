import { useState } from 'react';
import { Button, type ButtonProps } from '../button.tsx';
import { AlertDialog, type AlertDialogProps } from './alert-dialog.tsx';

type Question = Pick<AlertDialogProps, 'title' | 'body' | 'confirmLabel' | 'onConfirm'>;
export interface DangerButtonProps extends Question, Pick<ButtonProps, 'variant' | 'size' | 'className'> {
  children: string;
  /** For rows of a list: what the button would destroy. */
  label?: string;
  loading: boolean;
}

/** A button that destroys something, once its question is answered. */
export function DangerButton({ children, label, loading, ...props }: DangerButtonProps) {
  const { variant = 'ghost', size = 'sm', className = 'text-danger', ...question } = props;
  const [open, onOpenChange] = useState(false);
  return (
    <>
      <Button
        variant={variant}
        size={size}
        className={className}
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
