import { MEMORY_TEXT_MAX } from '@atelier/contract/memory';
import { type SubmitEvent, useEffect, useRef, useState } from 'react';
import { errorText } from '../../lib/http.ts';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { toast } from '../../ui/overlay/toast.tsx';
import { useUnsavedArea } from '../../ui/overlay/unsaved.tsx';
import { TextArea } from '../../ui/text-area.tsx';
import { useUpdateMemory } from './memory.api.ts';

export interface MemoryEditProps {
  id: string;
  text: string;
  onClose: () => void;
  /** Called with the id of the new memory. */
  onSaved?: (id: string) => void;
}

/** Edits a memory in place. Esc cancels, after a question if the text was changed. */
export function MemoryEdit({ id, text, onClose, onSaved }: MemoryEditProps) {
  const [typed, setTyped] = useState(text);
  const update = useUpdateMemory();
  const { leave } = useUnsavedArea(typed.trim() !== text);
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => field.current?.focus(), []);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const next = typed.trim();
    if (next === '' || next === text) return onClose();
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
  };
  return (
    <form onSubmit={submit} className="flex w-full flex-col gap-2 py-1">
      <Field label="What is remembered" error={update.isError ? errorText(update.error) : null}>
        {(control) => (
          <TextArea
            {...control}
            rows={3}
            maxLength={MEMORY_TEXT_MAX}
            ref={field}
            value={typed}
            onChange={(e) => setTyped(e.target.value)}
            onKeyDown={(e) => {
              if (e.key !== 'Escape') return;
              e.preventDefault();
              e.stopPropagation();
              leave(onClose);
            }}
          />
        )}
      </Field>
      <div className="flex gap-2">
        <Button size="sm" type="submit" loading={update.isPending}>
          Save
        </Button>
        <Button size="sm" variant="ghost" onClick={onClose}>
          Cancel
        </Button>
      </div>
    </form>
  );
}
