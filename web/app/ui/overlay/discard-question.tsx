import { AlertDialog } from './alert-dialog.tsx';

/** Asks before typed input is lost; every way to close the question keeps it. */
export default function DiscardQuestion({ open, onAnswer }: { open: boolean; onAnswer: (discard: boolean) => void }) {
  return (
    <AlertDialog
      open={open}
      onOpenChange={(next) => !next && onAnswer(false)}
      title="Discard your changes?"
      body="What you entered or are uploading here is not saved yet."
      cancelLabel="Keep editing"
      confirmLabel="Discard"
      danger
      onConfirm={() => onAnswer(true)}
    />
  );
}
