import type { ReactNode } from 'react';
import { ErrorLine } from '../ui/banner.tsx';
import { Button, type ButtonVariant } from '../ui/button.tsx';
import { errorText } from './http.ts';

interface SendFormProps {
  /** What its button does. */
  label: string;
  variant?: ButtonVariant;
  isReady: boolean;
  sending: { isPending: boolean; error: Error | null };
  onSend: () => void;
  children: ReactNode;
}

/** Fields in a column, why they could not be sent, and the button that sends them. */
export function SendForm({ label, variant = 'primary', isReady, sending, onSend, children }: SendFormProps) {
  return (
    <form
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        if (isReady && !sending.isPending) onSend();
      }}
    >
      {children}
      {sending.error && <ErrorLine>{errorText(sending.error)}</ErrorLine>}
      <Button type="submit" variant={variant} className="self-end" disabled={!isReady} loading={sending.isPending}>
        {label}
      </Button>
    </form>
  );
}
