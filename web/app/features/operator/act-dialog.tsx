import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { SendForm } from '../../lib/send-form.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/overlay/dialog.tsx';
import { toast } from '../../ui/overlay/toast.tsx';
import { useUnsavedArea } from '../../ui/overlay/unsaved.tsx';
import { TextField } from '../../ui/text-field.tsx';

export interface ActDialogProps {
  /** The button that opens it, and what it does. */
  label: string;
  onOpen?: () => void;
  title: string;
  children: ReactNode;
  isDanger?: boolean;
  needsReason?: boolean;
  /** The email to write again, where the act can't be undone. */
  email?: string;
  act: (input: { reason: string; email: string }) => Promise<unknown>;
  /** What to say once it is done. */
  done?: string;
}

/** An act of an operator: what it does, why, and the button that does it. */
export function ActDialog({ label, onOpen, title, isDanger = false, ...form }: ActDialogProps) {
  const [open, setOpen] = useState(false);
  const begin = () => {
    onOpen?.();
    setOpen(true);
  };
  return (
    <>
      <Button size="sm" onClick={begin}>
        {label}
      </Button>
      <Dialog open={open} onOpenChange={setOpen} title={title}>
        <ActForm label={label} isDanger={isDanger} {...form} onDone={() => setOpen(false)} />
      </Dialog>
    </>
  );
}

type ActFormProps = Omit<ActDialogProps, 'title' | 'onOpen'> & { onDone: () => void };

function ActForm({ label, children, isDanger, needsReason = true, email, act, done, onDone }: ActFormProps) {
  const [reason, setReason] = useState('');
  const [written, setWritten] = useState('');
  const isReady = (!needsReason || reason.trim() !== '') && (email === undefined || written.trim() !== '');
  const run = useMutation({
    mutationFn: () => act({ reason: reason.trim(), email: written.trim() }),
    onSuccess: () => {
      if (done !== undefined) toast.success(done);
      onDone();
    },
  });
  // Some acts lead to another page when they are done.
  useUnsavedArea(reason.trim() !== '' && !run.isPending && !run.isSuccess);
  return (
    <SendForm
      label={label}
      variant={isDanger ? 'danger' : 'primary'}
      isReady={isReady}
      sending={run}
      onSend={() => run.mutate()}
    >
      <div className="flex flex-col gap-2">{children}</div>
      <TextField
        label={needsReason ? 'Reason' : 'Reason (optional)'}
        hint="It is recorded in the audit log."
        autoComplete="off"
        maxLength={500}
        value={reason}
        onChange={(event) => setReason(event.target.value)}
      />
      {email !== undefined && (
        <TextField
          label={`Type ${email} to confirm`}
          type="email"
          autoComplete="off"
          value={written}
          onChange={(event) => setWritten(event.target.value)}
        />
      )}
    </SendForm>
  );
}
