import { type KeyboardEvent, type ReactNode, type SubmitEvent, useEffect, useRef } from 'react';
import { Button } from '../button.tsx';
import { useUnsavedArea } from '../overlay/unsaved.tsx';
import { AreaField } from '../text-field.tsx';

export interface TextEditProps {
  label: string;
  /** The text as it is stored. */
  text: string;
  typed: string;
  onType: (typed: string) => void;
  rows: number;
  maxLength: number;
  /** Enter saves and Shift+Enter breaks the line; otherwise Enter breaks it. */
  enterSaves?: boolean;
  saving: boolean;
  /** Why it could not be saved. */
  error: string | null;
  /** Called with the trimmed text, only when it is another one. */
  onSave: (text: string) => void;
  onClose: () => void;
  /** Another action, beside those of the form. */
  more?: ReactNode;
}

/** Edits a text in place. Esc cancels, after a question if the text was changed. */
export function TextEdit({ label, text, typed, rows, maxLength, enterSaves = false, ...rest }: TextEditProps) {
  const { saving, error, onType, onSave, onClose, more } = rest;
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
        error={error}
        rows={rows}
        maxLength={maxLength}
        ref={field}
        value={typed}
        onChange={(e) => onType(e.target.value)}
        onKeyDown={onKeyDown}
      />
      <div className="flex flex-wrap gap-2">
        <Button size="sm" type="submit" loading={saving}>
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
