import { FACT_TEXT_MAX } from '@atelier/contract/facts';
import { type ReactNode, type SubmitEvent, useEffect, useRef, useState } from 'react';
import { errorText } from '../../lib/http.ts';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { toast } from '../../ui/overlay/toast.tsx';
import { useUnsavedArea } from '../../ui/overlay/unsaved.tsx';
import { TextArea } from '../../ui/text-area.tsx';
import { useUpdateFact } from './facts.api.ts';

export interface FactEditProps {
  id: string;
  text: string;
  onClose: () => void;
  /** Another action, beside those of the form. */
  more?: ReactNode;
}

/** Corrects a fact in place. Enter saves, Esc cancels, after a question if the text was changed. */
export function FactEdit({ id, text, onClose, more }: FactEditProps) {
  const [typed, setTyped] = useState(text);
  const update = useUpdateFact();
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
        onSuccess: () => {
          toast.success('Corrected. The agent uses your text from now on.');
          onClose();
        },
      },
    );
  };
  return (
    <form onSubmit={submit} className="flex w-full flex-col gap-2 py-1">
      <Field label="What is true" error={update.isError ? errorText(update.error) : null}>
        {(control) => (
          <TextArea
            {...control}
            rows={2}
            maxLength={FACT_TEXT_MAX}
            ref={field}
            value={typed}
            onChange={(e) => setTyped(e.target.value)}
            onKeyDown={(e) => {
              if (e.key === 'Enter' && !e.shiftKey && !e.nativeEvent.isComposing) {
                e.preventDefault();
                e.currentTarget.form?.requestSubmit();
              }
              if (e.key !== 'Escape') return;
              e.preventDefault();
              e.stopPropagation();
              leave(onClose);
            }}
          />
        )}
      </Field>
      <div className="flex flex-wrap gap-2">
        <Button size="sm" type="submit" loading={update.isPending}>
          Save
        </Button>
        <Button size="sm" variant="ghost" onClick={onClose}>
          Cancel
        </Button>
        {more}
      </div>
    </form>
  );
}
