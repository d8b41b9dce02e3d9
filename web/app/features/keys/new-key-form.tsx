import { type KeyScope, keyCreate, type NewApiKey } from '@atelier/contract/keys';
import { type FormEvent, type ReactNode, useState } from 'react';
import { ApiError, errorText } from '../../lib/http.ts';
import { ErrorLine } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { Checkbox } from '../../ui/checkbox.tsx';
import { useUnsavedArea } from '../../ui/overlay/unsaved.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { type ChosenAgent, useCreateKey } from './keys.api.ts';

const SCOPES: { scope: KeyScope; label: string; hint: string }[] = [
  { scope: 'talk', label: 'Talk', hint: 'Send messages and give agents something to remember.' },
  { scope: 'read', label: 'Read', hint: 'List agents, search their memories and read their files.' },
];

const toggled = <T,>(list: T[], one: T, on: boolean) => (on ? [...list, one] : list.filter((other) => other !== one));

export interface NewKeyFormProps {
  agents: ChosenAgent[];
  onMade: (key: NewApiKey) => void;
  onCancel: () => void;
}

/** Asks for a key's name, what it may do, and with which agents. */
export function NewKeyForm({ agents, onMade, onCancel }: NewKeyFormProps) {
  const [name, setName] = useState('');
  const [scopes, setScopes] = useState<KeyScope[]>(['talk', 'read']);
  const [chosen, setChosen] = useState<string[] | null>(null);
  const [problem, setProblem] = useState<{ field: string; text: string } | null>(null);
  const create = useCreateKey();
  useUnsavedArea(name !== '' && !create.isSuccess);

  function submit(event: FormEvent) {
    event.preventDefault();
    if (create.isPending) return;
    const parsed = keyCreate.safeParse({ name, scopes, ...(chosen === null ? {} : { agentIds: chosen }) });
    const issue = parsed.error?.issues[0];
    setProblem(issue === undefined ? null : { field: String(issue.path[0] ?? ''), text: issue.message });
    if (!parsed.success) return;
    create.mutate(parsed.data, {
      onSuccess: onMade,
      onError: (error) =>
        setProblem({ field: (error instanceof ApiError && error.field) || 'name', text: errorText(error) }),
    });
  }
  const problemOf = (field: string) => (problem?.field === field ? problem.text : null);

  return (
    <form noValidate onSubmit={submit} className="flex flex-col gap-5">
      <TextField
        label="Name"
        error={problemOf('name')}
        hint="What uses it, for example “Nightly report”."
        autoComplete="off"
        value={name}
        onChange={(e) => setName(e.target.value)}
      />
      <Choices legend="It may" error={problemOf('scopes')}>
        {SCOPES.map(({ scope, label, hint }) => (
          <Checkbox
            key={scope}
            label={label}
            hint={hint}
            checked={scopes.includes(scope)}
            onChange={(e) => setScopes(toggled(scopes, scope, e.target.checked))}
          />
        ))}
      </Choices>
      <Choices legend="Agents" error={problemOf('agentIds')}>
        <Checkbox
          label="All agents, including later ones"
          checked={chosen === null}
          onChange={(e) => setChosen(e.target.checked ? null : [])}
        />
        {chosen !== null &&
          agents.map((agent) => (
            <Checkbox
              key={agent.id}
              className="ml-7"
              label={agent.name}
              checked={chosen.includes(agent.id)}
              onChange={(e) => setChosen(toggled(chosen, agent.id, e.target.checked))}
            />
          ))}
      </Choices>
      <div className="flex flex-wrap justify-end gap-2">
        <Button onClick={onCancel}>Cancel</Button>
        <Button type="submit" variant="primary" loading={create.isPending}>
          Create key
        </Button>
      </div>
    </form>
  );
}

function Choices({ legend, error, children }: { legend: string; error: string | null; children: ReactNode }) {
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="mb-1 font-semibold text-sm">{legend}</legend>
      {children}
      {error !== null && <ErrorLine className="text-sm">{error}</ErrorLine>}
    </fieldset>
  );
}
