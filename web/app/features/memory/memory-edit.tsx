import { MEMORY_TEXT_MAX } from '@atelier/contract/memory';
import { openForm } from '../../lib/typed/saved-form.ts';
import { TextEdit } from '../../lib/typed/text-edit.tsx';
import { toast } from '../../ui/overlay/toast.tsx';
import { useUpdateMemory } from './memory.api.ts';

export interface MemoryEditProps {
  id: string;
  text: string;
  onClose: () => void;
  /** Called with the id of the new memory. */
  onSaved?: (id: string) => void;
}

const FORM = 'memory:';

/** The memory that was being edited when the sign-in ended. */
export const readOpenMemory = () => openForm(FORM);

/** Edits a memory in place. */
export function MemoryEdit({ id, text, onClose, onSaved }: MemoryEditProps) {
  const update = useUpdateMemory();
  const save = (next: string) =>
    update.mutate(
      { id, text: next },
      {
        onSuccess: (saved) => {
          onSaved?.(saved.id);
          toast.success('Saved. The agent uses the new text from now on.');
          onClose();
        },
      },
    );
  return (
    <TextEdit
      label="What is remembered"
      form={FORM + id}
      text={text}
      rows={3}
      maxLength={MEMORY_TEXT_MAX}
      update={update}
      onSave={save}
      onClose={onClose}
    />
  );
}
