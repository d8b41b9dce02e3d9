import { useState } from 'react';
import { AlertDialog } from './alert-dialog.tsx';
import type { DiscardWords } from './unsaved.tsx';

const USUAL: DiscardWords = {
  title: 'Discard your changes?',
  body: 'What you entered or are uploading here is not saved yet.',
  cancelLabel: 'Keep editing',
  confirmLabel: 'Discard',
};

export interface DiscardQuestionProps {
  open: boolean;
  words?: DiscardWords | undefined;
  onAnswer: (discard: boolean) => void;
}

/** Asks before typed input is lost; every way to close the question keeps it. */
export default function DiscardQuestion({ open, words = USUAL, onAnswer }: DiscardQuestionProps) {
  const [shown, setShown] = useState(words);
  // While it closes, it says what it said.
  if (open && shown !== words) setShown(words);
  return (
    <AlertDialog
      open={open}
      onOpenChange={(next) => !next && onAnswer(false)}
      {...shown}
      danger
      onConfirm={() => onAnswer(true)}
    />
  );
}
