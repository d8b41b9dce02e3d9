import { MEMORY_TEXT_MAX } from '@atelier/contract/memory';
import { errorText } from '../../lib/http.ts';
import { openForm, useSavedText } from '../../lib/typed/saved-form.ts';
import { TextEdit } from '../../ui/list/text-edit.tsx';
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
  const [typed, type] = useSavedText(FORM + id, text);
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
      text={text}
      typed={typed}
      onType={type}
      rows={3}
      maxLength={MEMORY_TEXT_MAX}
      saving={update.isPending}
      error={update.isError ? errorText(update.error) : null}
      onSave={save}
      onClose={onClose}
    />
  );
}
