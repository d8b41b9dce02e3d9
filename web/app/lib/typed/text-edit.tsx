import { type KeyboardEvent, type ReactNode, type SubmitEvent, useEffect, useRef } from 'react';
import { Button } from '../../ui/button.tsx';
import { useUnsavedArea } from '../../ui/overlay/unsaved.tsx';
import { AreaField } from '../../ui/text-field.tsx';
import { errorText } from '../http.ts';
import { useSavedText } from './saved-form.ts';

export interface TextEditProps {
  label: string;
  /** The name under which what is typed is kept. */
  form: string;
  /** The text as it is stored. */
  text: string;
  rows: number;
  maxLength: number;
  /** Enter saves and Shift+Enter breaks the line; otherwise Enter breaks it. */
  enterSaves?: boolean;
  /** What stores it. */
  update: { isPending: boolean; error: Error | null };
  /** Called with the trimmed text, only when it is another one. */
  onSave: (text: string) => void;
  onClose: () => void;
  /** Another action, beside those of the form. */
  more?: ReactNode;
}

/** Edits a text in place. Esc cancels, after a question if the text was changed. */
export function TextEdit({ label, form, text, rows, maxLength, enterSaves = false, ...rest }: TextEditProps) {
  const { update, onSave, onClose, more } = rest;
  const [typed, type] = useSavedText(form, text);
  const { leave } = useUnsavedArea(typed.trim() !== text);
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => field.current?.focus(), []);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const next = typed.trim();
    if (next === '' || next === text) onClose();
    else onSave(next);
  };
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (enterSaves && event.key === 'Enter' && !event.shiftKey) {
      event.preventDefault();
      event.currentTarget.form?.requestSubmit();
    }
    if (event.key !== 'Escape') return;
    event.preventDefault();
    event.stopPropagation();
    leave(onClose);
  };
  return (
    <form onSubmit={submit} className="flex w-full flex-col gap-2 py-1">
      <AreaField
        label={label}
        error={update.error && errorText(update.error)}
        rows={rows}
        maxLength={maxLength}
        ref={field}
        value={typed}
        onChange={(e) => type(e.target.value)}
        onKeyDown={onKeyDown}
      />
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
