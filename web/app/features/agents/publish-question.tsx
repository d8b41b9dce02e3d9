import { PUBLISHED } from '../../lib/agent-labels.ts';
import { AlertDialog } from '../../ui/overlay/alert-dialog.tsx';

export interface PublishQuestionProps {
  /** The agent's name; null while nothing is asked. */
  name: string | null;
  onAnswer: (publish: boolean) => void;
}

/** Tells an author plainly what becomes public, before it does. */
export function PublishQuestion({ name, onAnswer }: PublishQuestionProps) {
  return (
    <AlertDialog
      open={name !== null}
      onOpenChange={(open) => !open && onAnswer(false)}
      title={`Publish “${name ?? ''}”?`}
      body={`Everyone who is signed in will see its ${PUBLISHED}, with your display name as its author. They can copy it, and their copies stay theirs when you unpublish it. Your sessions, memories, files and email address stay private.`}
      confirmLabel="Publish"
      onConfirm={() => onAnswer(true)}
    />
  );
}
