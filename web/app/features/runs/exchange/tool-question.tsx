import type { Task } from '@atelier/contract/runs';
import { type AskedField, shownToolName, type ToolAnswer, type ToolCall } from '@atelier/contract/tools';
import { type FormEvent, useState } from 'react';
import { errorText } from '../../../lib/http.ts';
import { ErrorLine } from '../../../ui/banner.tsx';
import { Button } from '../../../ui/button.tsx';
import { Checkbox } from '../../../ui/checkbox.tsx';
import { Field } from '../../../ui/field.tsx';
import { useFocusPassedOn } from '../../../ui/focus/use-focus-passed-on.ts';
import { Select } from '../../../ui/select.tsx';
import { TextInput } from '../../../ui/text-input.tsx';
import { useToolAnswer } from '../runs.api.ts';

type Value = ToolAnswer['content'][string];
type Values = Record<string, Value | undefined>;

interface ToolQuestionProps {
  task: Task;
  call: ToolCall;
  asks: NonNullable<ToolCall['asks']>;
}

/** What a server asks the person in the middle of a call. */
export function ToolQuestion({ task, call, asks }: ToolQuestionProps) {
  const answer = useToolAnswer(task.sessionId);
  const group = useFocusPassedOn<HTMLFormElement>('before');
  const [values, setValues] = useState<Values>(() => Object.fromEntries(asks.fields.map((f) => [f.name, begun(f)])));
  const send = (action: ToolAnswer['action']) => {
    if (answer.isPending) return;
    const given = Object.entries(values).filter((entry): entry is [string, Value] => entry[1] !== undefined);
    const content = action === 'accept' ? Object.fromEntries(given) : {};
    answer.mutate({ taskId: task.id, answer: { id: asks.id, action, content } });
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    send('accept');
  };
  const isSending = (action: string) => answer.isPending && answer.variables.answer.action === action;
  return (
    <form
      ref={group}
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
          onChange={(value) => setValues((before) => ({ ...before, [field.name]: value }))}
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
      {answer.isError && <ErrorLine>{errorText(answer.error)}</ErrorLine>}
    </form>
  );
}

/** What a field begins with: its server's suggestion, or what its input would show anyway. */
function begun({ type, required, value, options }: AskedField): Value | undefined {
  if (value !== undefined) return value;
  if (type === 'yes_no') return false;
  if (type === 'choices') return [];
  return type === 'choice' && required ? options?.[0]?.value : undefined;
}

interface AskedInputProps {
  field: AskedField;
  value: Value | undefined;
  onChange: (value: Value | undefined) => void;
}

function AskedInput({ field, value, onChange }: AskedInputProps) {
  const { label, hint, required, type, options = [] } = field;
  if (type === 'yes_no')
    return <Checkbox label={label} hint={hint} checked={value === true} onChange={(e) => onChange(e.target.checked)} />;
  if (type === 'choices') {
    const chosen = Array.isArray(value) ? value : [];
    const toggle = (one: string, on: boolean) => onChange(on ? [...chosen, one] : chosen.filter((o) => o !== one));
    return (
      <fieldset className="flex flex-col gap-1">
        <legend className="font-semibold">{label}</legend>
        {options.map((one) => (
          <Checkbox
            key={one.value}
            label={one.label}
            checked={chosen.includes(one.value)}
            onChange={(e) => toggle(one.value, e.target.checked)}
          />
        ))}
      </fieldset>
    );
  }
  const empty = required ? [] : [{ value: '', label: 'No answer' }];
  return (
    <Field label={label} hint={hint} aside={required ? undefined : 'optional'}>
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
            type={type}
            step="any"
            required={required}
            autoComplete="off"
            value={typeof value === 'string' || typeof value === 'number' ? value : ''}
            onChange={(e) => onChange(typed(type, e.target.value))}
          />
        )
      }
    </Field>
  );
}

function typed(type: AskedField['type'], text: string): Value | undefined {
  if (text === '') return undefined;
  return type === 'number' ? Number(text) : text;
}
