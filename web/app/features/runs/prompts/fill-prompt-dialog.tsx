import { fillVariables, PROMPT_LIMITS, type SavedPrompt, variablesOf } from '@atelier/contract/prompts';
import { type SubmitEvent, useId, useState } from 'react';
import { typed } from '../../../lib/typed/typed.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/overlay/dialog.tsx';
import { AreaField } from '../../../ui/text-field.tsx';

export interface FillPromptDialogProps {
  open: boolean;
  prompt: SavedPrompt | undefined;
  onClose: () => void;
  /** The whole text, for the composer. */
  onFilled: (text: string) => void;
}

/** What was given last time, by variable, until the page is left. */
const remembered = new Map<string, string>();
typed.subscribe(() => remembered.clear());

/** Asks for the values of a prompt's variables. */
export default function FillPromptDialog({ open, prompt, onClose, onFilled }: FillPromptDialogProps) {
  const form = useId();
  const [shown, setShown] = useState(prompt);
  const [values, setValues] = useState<ReadonlyMap<string, string>>(new Map());
  if (prompt !== undefined && prompt !== shown) setShown(prompt);
  const names = variablesOf(shown?.text ?? '');
  const valueOf = (name: string) => values.get(name) ?? remembered.get(name) ?? '';
  const isTyped = [...values].some(([name, value]) => value !== (remembered.get(name) ?? ''));
  const close = () => {
    setValues(new Map());
    onClose();
  };
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const answers = new Map(names.map((name) => [name, valueOf(name)]));
    for (const [name, value] of answers) remembered.set(name, value);
    close();
    onFilled(fillVariables(shown?.text ?? '', answers));
  };
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => !next && close()}
      unsaved={isTyped}
      title={shown?.name ?? 'Prompt'}
      description="The text goes into the message field; you can still change it there."
      footer={
        <>
          <Button onClick={close}>Cancel</Button>
          <Button variant="primary" type="submit" form={form}>
            Insert
          </Button>
        </>
      }
    >
      <form id={form} onSubmit={submit} className="flex flex-col gap-4">
        {names.map((name) => (
          <AreaField
            key={name}
            label={name}
            rows={1}
            required
            maxLength={PROMPT_LIMITS.text}
            value={valueOf(name)}
            onChange={(e) => setValues(new Map(values).set(name, e.target.value))}
            onFocus={(e) => e.target.select()}
            onKeyDown={(e) => {
              if (e.key !== 'Enter' || e.shiftKey) return;
              e.preventDefault();
              e.currentTarget.form?.requestSubmit();
            }}
            className="min-h-11!"
          />
        ))}
      </form>
    </Dialog>
  );
}
