import { type FieldValue, fieldValue, problemOf, type ServerField } from '@atelier/contract/mcp/server-fields';
import type { Task } from '@atelier/contract/runs';
import { shownToolName, type ToolAnswer, type ToolCall } from '@atelier/contract/tools';
import { type FormEvent, useState } from 'react';
import { z } from 'zod';
import { ApiError, errorText } from '../../../lib/http.ts';
import { savedForm, useSavedForm } from '../../../lib/typed/saved-form.ts';
import { ErrorLine } from '../../../ui/banner.tsx';
import { Button } from '../../../ui/button.tsx';
import { Checkbox } from '../../../ui/checkbox.tsx';
import { Field } from '../../../ui/field.tsx';
import { useFocusPassedOn } from '../../../ui/focus/use-focus.ts';
import { useUnsavedArea } from '../../../ui/overlay/unsaved.tsx';
import { Select } from '../../../ui/select.tsx';
import { TextInput } from '../../../ui/text-field.tsx';
import { useToolAnswer } from '../runs.api.ts';
import { useMismatch } from './use-mismatch.ts';

type Values = Record<string, FieldValue | undefined>;
const fieldValues = z.record(z.string(), fieldValue);

interface ServerQuestionProps {
  task: Task;
  call: ToolCall;
  asks: NonNullable<ToolCall['asks']>;
}

/** What a server asks the person in the middle of a call. */
export function ServerQuestion({ task, call, asks }: ServerQuestionProps) {
  const answer = useToolAnswer(task.sessionId);
  const group = useFocusPassedOn<HTMLFormElement>('before');
  const form = `asks:${task.id}/${asks.id}`;
  const [storedForm] = useState(() => savedForm(form, fieldValues));
  const [values, setValues] = useState<Values>(
    () => storedForm ?? Object.fromEntries(asks.fields.map((field) => [field.name, begun(field)])),
  );
  /** The fields whose problems are shown: those that were changed, and all once the answer was to be sent. */
  const [looked, setLooked] = useState(() => Object.keys(storedForm ?? {}));
  useSavedForm(form, looked.length === 0 ? undefined : values);
  useUnsavedArea(looked.length > 0 && !answer.isSuccess);
  const problem = (field: ServerField) => problemOf(field, values[field.name]);
  const refused = answer.error instanceof ApiError ? answer.error : null;
  const focusOn = (wrong: (field: ServerField) => boolean) => {
    const shown = group.current?.querySelectorAll('[data-asked]')[asks.fields.findIndex(wrong)];
    shown?.querySelector<HTMLElement>('input, select')?.focus();
  };
  const send = (action: ToolAnswer['action']) => {
    if (answer.isPending) return;
    const answers = Object.entries(values).filter((entry): entry is [string, FieldValue] => entry[1] !== undefined);
    const content = action === 'accept' ? Object.fromEntries(answers) : {};
    const onError = (error: Error) => error instanceof ApiError && focusOn(({ name }) => name === error.field);
    answer.mutate({ taskId: task.id, answer: { id: asks.id, action, content } }, { onError });
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setLooked(asks.fields.map(({ name }) => name));
    if (asks.fields.every((field) => problem(field) === null)) send('accept');
    else focusOn((field) => problem(field) !== null);
  };
  const change = (field: ServerField, value: FieldValue | undefined) => {
    setLooked((before) => [...before, field.name]);
    setValues((before) => ({ ...before, [field.name]: value }));
    if (refused?.field === field.name) answer.reset();
  };
  const isSending = (action: string) => answer.isPending && answer.variables.answer.action === action;
  return (
    <form
      ref={group}
      noValidate
      onSubmit={submit}
      aria-label={`The server “${asks.server}” asks you`}
      className="mt-1 flex max-w-[72ch] flex-col gap-3 rounded border border-edge bg-raised p-3 text-sm"
    >
      <p>
        The server “{asks.server}” asks you, to go on with{' '}
        <span className="break-all font-mono">{shownToolName(call.name)}</span>:
      </p>
      <p className="whitespace-pre-wrap font-semibold [overflow-wrap:anywhere]">{asks.message}</p>
      {asks.fields.map((field) => (
        <AskedInput
          key={field.name}
          field={field}
          value={values[field.name]}
          error={refused?.field === field.name ? refused.message : looked.includes(field.name) ? problem(field) : null}
          onChange={(value) => change(field, value)}
        />
      ))}
      <p className="text-muted">Your answer goes to this server. Never give a password here.</p>
      <div className="flex flex-wrap gap-2">
        <Button type="submit" size="sm" loading={isSending('accept')}>
          Send
        </Button>
        <Button size="sm" variant="ghost" loading={isSending('decline')} onClick={() => send('decline')}>
          Don’t answer
        </Button>
      </div>
      {answer.isError && !asks.fields.some(({ name }) => name === refused?.field) && (
        <ErrorLine>{errorText(answer.error)}</ErrorLine>
      )}
    </form>
  );
}

/** What a field begins with: its server's suggestion, or what its input would show anyway. */
function begun({ type, required, value, options }: ServerField): FieldValue | undefined {
  if (value !== undefined) return value;
  if (type === 'yes_no') return false;
  if (type === 'choices' && required) return [];
  return type === 'choice' && required ? options?.[0]?.value : undefined;
}

interface AskedInputProps {
  field: ServerField;
  value: FieldValue | undefined;
  error: string | null;
  onChange: (value: FieldValue | undefined) => void;
}

function AskedInput({ field, value, error, onChange }: AskedInputProps) {
  const { label, hint, required, type, options = [] } = field;
  const problem = useMismatch(field, value) ?? error;
  if (type === 'yes_no')
    return (
      <div data-asked>
        <Checkbox label={label} hint={hint} checked={value === true} onChange={(e) => onChange(e.target.checked)} />
      </div>
    );
  if (type === 'choices') return <AskedChoices field={field} value={value} error={error} onChange={onChange} />;
  const empty = required ? [] : [{ value: '', label: 'No answer' }];
  return (
    <div data-asked>
      <Field label={label} error={problem} hint={hint} aside={required ? undefined : 'optional'}>
        {(control) =>
          type === 'choice' ? (
            <Select
              {...control}
              options={[...empty, ...options]}
              value={typeof value === 'string' ? value : ''}
              onChange={(e) => onChange(e.target.value === '' ? undefined : e.target.value)}
            />
          ) : (
            <TextInput
              {...control}
              type={type === 'date_time' ? 'datetime-local' : type}
              step="any"
              required={required}
              autoComplete="off"
              value={shown(type, value)}
              onChange={(e) => onChange(typed(type, e.target.value))}
            />
          )
        }
      </Field>
    </div>
  );
}

function AskedChoices({ field: { label, hint, required, options = [] }, value, error, onChange }: AskedInputProps) {
  const chosen = Array.isArray(value) ? value : [];
  const toggle = (one: string, on: boolean) => {
    const next = on ? [...chosen, one] : chosen.filter((other) => other !== one);
    onChange(next.length === 0 && !required ? undefined : next);
  };
  return (
    <fieldset data-asked className="flex flex-col gap-1">
      <legend className="font-semibold">{label}</legend>
      {hint && <p className="text-muted">{hint}</p>}
      {options.map((one) => (
        <Checkbox
          key={one.value}
          label={one.label}
          checked={chosen.includes(one.value)}
          onChange={(e) => toggle(one.value, e.target.checked)}
        />
      ))}
      {error !== null && <ErrorLine>{error}</ErrorLine>}
    </fieldset>
  );
}

/** A time as its input shows it, in the person's zone. */
function shown(type: ServerField['type'], value: FieldValue | undefined): string | number {
  if (typeof value !== 'string' && typeof value !== 'number') return '';
  const date = type === 'date_time' ? new Date(value) : null;
  if (date === null || Number.isNaN(date.getTime())) return value;
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

function typed(type: ServerField['type'], text: string): FieldValue | undefined {
  if (text === '') return undefined;
  if (type === 'date_time') return new Date(text).toISOString();
  return type === 'number' ? Number(text) : text;
}
