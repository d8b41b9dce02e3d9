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
