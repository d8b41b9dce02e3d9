import { type SubmitEvent, useEffect, useRef, useState } from 'react';
import { errorText } from '../../../lib/http.ts';
import { Button } from '../../../ui/button.tsx';
import { TextField } from '../../../ui/text-field.tsx';

interface NameFormProps {
  label: string;
  initial: string;
  max: number;
  action: string;
  save: (name: string) => Promise<unknown>;
}

/** One field and its button; a refusal stands below the field, and what was typed stays. */
export function NameForm({ label, initial, max, action, save }: NameFormProps) {
  const [typed, setTyped] = useState(initial);
  const [problem, setProblem] = useState<string>();
  const [busy, setBusy] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    // After the dialog has taken the focus, and knows where to return it.
    const frame = requestAnimationFrame(() => field.current?.focus());
    return () => cancelAnimationFrame(frame);
  }, []);
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    if (busy) return;
    if (typed.trim() === '') return setProblem('Please enter a name.');
    setBusy(true);
    await save(typed.trim()).catch((error: unknown) => setProblem(errorText(error)));
    setBusy(false);
  };
  return (
    <form noValidate onSubmit={(event) => void submit(event)} className="flex flex-col gap-4">
      <TextField
        label={label}
        error={problem}
        ref={field}
        value={typed}
        maxLength={max}
        autoComplete="off"
        onFocus={(event) => event.target.select()}
        onChange={(event) => {
          setTyped(event.target.value);
          setProblem(undefined);
        }}
      />
      <div className="flex justify-end">
        <Button type="submit" variant="primary" loading={busy}>
          {action}
        </Button>
      </div>
    </form>
  );
}
