import type { Task } from '@atelier/contract/runs';
import { AlertDialog } from '../../ui/overlay/alert-dialog.tsx';
import { countMemories } from './receipt.ts';

export interface ForgetQuestionProps {
  /** How many to forget; 0 closes the question. */
  count: number;
  onAnswer: (forget: boolean) => void;
}

/** Asks before memories are forgotten, and says what is removed and what stays. */
export function ForgetQuestion({ count, onAnswer }: ForgetQuestionProps) {
  return (
    <AlertDialog
      open={count > 0}
      onOpenChange={(open) => !open && onAnswer(false)}
      title={`Forget ${count === 1 ? 'this memory' : countMemories(count)}?`}
      body="The text is removed permanently: from memory, from search, from every receipt, and from where the agent repeated it. The exchange it came from stays in its session unless you delete that too. This can't be undone."
      confirmLabel="Forget"
      danger
      onConfirm={() => onAnswer(true)}
    />
  );
}

export const STILL_LOADING = 'Memory was still loading: older memories were not searched.';

/** Says that an answer did not wait for all of a large memory, or had less of a conversation that was too long for its model. */
export function PartialNote({ task }: { task: Pick<Task, 'memoryPartial' | 'usage'> }) {
  const notes = [
    ...(task.memoryPartial ? [STILL_LOADING] : []),
    ...(task.usage?.shortened ? ['The conversation was too long for the model. Less of it was sent.'] : []),
  ];
  return notes.map((note) => (
    <p key={note} className="mb-3 text-muted text-sm">
      {note}
    </p>
  ));
}
