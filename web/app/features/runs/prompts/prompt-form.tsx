import { PROMPT_LIMITS, promptCreate, type SavedPrompt, savedPrompt } from '@atelier/contract/prompts';
import { type SubmitEvent, useEffect, useRef, useState } from 'react';
import { z } from 'zod';
import { ApiError, errorText } from '../../../lib/http.ts';
import { hintWithUnseen } from '../../../lib/names/seen-text.tsx';
import { savedForm, useSavedForm } from '../../../lib/typed/saved-form.ts';
import { Button } from '../../../ui/button.tsx';
import { useUnsavedArea } from '../../../ui/overlay/unsaved.tsx';
import { AreaField, TextField } from '../../../ui/text-field.tsx';
import { useSavePrompt } from './prompts.api.ts';

export interface PromptFormProps {
  /** The prompt to change; without one, a new one is saved. */
  prompt: SavedPrompt | undefined;
  /** The text to begin with. */
  text: string;
  onSaved: () => void;
  onCancel: () => void;
}

interface Problem {
  field: string;
  sentence: string;
}

const FORM = 'prompt';
const keptShape = z.object({
  prompt: savedPrompt.optional(),
  text: z.string(),
  typed: z.object({ name: z.string(), text: z.string() }),
});

/** The form as it was open when the sign-in ended. */
export const readOpenPrompt = () => savedForm(FORM, keptShape);

/** The name and text of a saved prompt. */
export function PromptForm({ prompt, text, onSaved, onCancel }: PromptFormProps) {
  const before = { name: prompt?.name ?? '', text: prompt?.text ?? text };
  const [typed, setTyped] = useState(() => {
    const openPrompt = readOpenPrompt();
    return openPrompt?.prompt?.id === prompt?.id ? (openPrompt?.typed ?? before) : before;
  });
  const [problem, setProblem] = useState<Problem>();
  const save = useSavePrompt(prompt?.id);
  const first = useRef<HTMLInputElement>(null);
  useEffect(() => first.current?.focus(), []);
  const isChanged = typed.name !== before.name || typed.text !== before.text;
  useUnsavedArea(isChanged);
  useSavedForm(FORM, isChanged ? { prompt, text, typed } : undefined);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const checked = promptCreate.safeParse(typed);
    if (!checked.success) return setProblem(problemOf(checked.error));
    save.mutate(checked.data, {
      onSuccess: onSaved,
      onError: (error) =>
        setProblem({ field: (error instanceof ApiError && error.field) || 'text', sentence: errorText(error) }),
    });
  };
  const change = (next: Partial<typeof typed>) => {
    setProblem(undefined);
    setTyped({ ...typed, ...next });
  };
  const errorOf = (field: string) => (problem?.field === field ? problem.sentence : null);
  return (
    <form onSubmit={submit} noValidate className="flex flex-col gap-4">
      <TextField
        label="Name"
        error={errorOf('name')}
        ref={first}
        maxLength={PROMPT_LIMITS.name}
        value={typed.name}
        onChange={(e) => change({ name: e.target.value })}
      />
      <AreaField
        label="Text"
        error={errorOf('text')}
        hint={hintWithUnseen('Write {{name}} for each blank to fill in when you use the prompt.', typed.text)}
        rows={6}
        value={typed.text}
        onChange={(e) => change({ text: e.target.value })}
      />
      <div className="flex flex-wrap justify-end gap-2">
        <Button onClick={onCancel}>Cancel</Button>
        <Button type="submit" variant="primary" loading={save.isPending}>
          Save prompt
        </Button>
      </div>
    </form>
  );
}

function problemOf({ issues: [issue] }: { issues: { path: PropertyKey[]; message: string }[] }): Problem {
  return { field: String(issue?.path[0] ?? 'text'), sentence: issue?.message ?? '' };
}
