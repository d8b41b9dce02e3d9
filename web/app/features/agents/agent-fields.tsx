import type { Me } from '@atelier/contract/accounts';
import { AGENT_LIMITS } from '@atelier/contract/agents';
import { hintWithUnseen } from '../../lib/names/seen-text.tsx';
import { Button } from '../../ui/button.tsx';
import { Checkbox } from '../../ui/checkbox.tsx';
import { Field } from '../../ui/field.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { ChevronDown, Plus, X } from '../../ui/icons/lucide.ts';
import { SelectField } from '../../ui/select.tsx';
import { AreaField, TextField, TextInput } from '../../ui/text-field.tsx';
import type { AgentFieldsProps } from './agent-form-state.ts';
import { modelHint, modelOptions, takesTemperature } from './model-choice.ts';

type OfferedFieldsProps = AgentFieldsProps & {
  offer: Pick<Me, 'models' | 'excludedModels' | 'standIn'> | null | undefined;
};

/** What every account may set, the prompt first. */
export function AgentFields({ offer, ...props }: OfferedFieldsProps) {
  const { form } = props;
  const field = fieldsOf(props);
  return (
    <>
      <AreaField
        label="Prompt"
        {...field('prompt')}
        hint={hintWithUnseen('What the agent is for and how it should answer.', form.prompt)}
        required
        rows={6}
        className="min-h-40! max-h-[50dvh]"
        placeholder="You help me plan trips"
      />
      <TextField label="Name" {...field('name')} required autoComplete="off" placeholder="Field Notes" />
      <div className="grid gap-5 sm:grid-cols-2">
        <SelectField
          label="Model"
          {...field('model')}
          hint={modelHint(offer, form.model)}
          options={modelOptions(offer, form.model)}
        />
        <TextField
          label="Tags"
          {...field('tags')}
          hint={`Separated by commas, at most ${AGENT_LIMITS.tags}.`}
          autoComplete="off"
          placeholder="travel, planning"
        />
      </div>
      <RareFields {...props} offer={offer} />
    </>
  );
}

type TextName = 'prompt' | 'name' | 'model' | 'tags' | 'description';

/** What the control of a field with text needs. */
const fieldsOf =
  ({ form, errors, change }: AgentFieldsProps) =>
  (name: TextName) => ({
    name,
    error: errors[name],
    value: form[name],
    onChange: ({ target: { value } }: { target: { value: string } }) => change({ [name]: value }),
  });

/** What most agents leave as it is. */
function RareFields({ offer, ...props }: OfferedFieldsProps) {
  const { form, change } = props;
  return (
    <details className="group rounded border">
      <summary className="flex min-h-11 cursor-pointer list-none items-center gap-2 rounded px-3 py-1.5 hover:bg-sunken">
        <span className="shrink-0 font-semibold text-sm">More settings</span>
        <span className="min-w-0 flex-1 text-muted text-sm">Description, temperature, memory, starters</span>
        <ChevronDown className="size-4 shrink-0 group-open:rotate-180" />
      </summary>
      <div className="flex flex-col gap-5 p-3">
        <TextField
          label="Description"
          {...fieldsOf(props)('description')}
          hint={`A short line for cards and lists, at most ${AGENT_LIMITS.description} characters. Optional.`}
          autoComplete="off"
          placeholder="Plans trips around the people who come along"
        />
        <Temperature {...props} fixed={!takesTemperature(offer, form.model)} />
        <Checkbox
          label="Memory"
          hint="The agent remembers what is said and recalls it when it helps."
          checked={form.memoryEnabled}
          onChange={(e) => change({ memoryEnabled: e.target.checked })}
        />
        <StarterFields {...props} />
      </div>
    </details>
  );
}

function Temperature({ form, errors, change, fixed }: AgentFieldsProps & { fixed: boolean }) {
  return (
    <Field
      label="Temperature"
      error={errors.temperature}
      hint={fixed ? 'This model chooses its own; yours is ignored.' : undefined}
      aside={<output className="font-mono">{form.temperature.toFixed(1)}</output>}
    >
      {(control) => (
        <input
          {...control}
          type="range"
          name="temperature"
          min={0}
          max={2}
          step={0.1}
          value={form.temperature}
          onChange={(e) => change({ temperature: Number(e.target.value) })}
          className="h-11 w-full accent-ink"
        />
      )}
    </Field>
  );
}

/** Up to four ways to begin, shown in an empty session. */
function StarterFields({ form, errors, change }: AgentFieldsProps) {
  const { starters } = form;
  const set = (at: number, text: string) => change({ starters: starters.map((s, i) => (i === at ? text : s)) });
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="mb-1 font-semibold text-sm">Starters</legend>
      {/* A row has no identity beyond its place. */}
      {[...starters.entries()].map(([i, starter]) => (
        <div key={i} className="flex items-center gap-2">
          <TextInput
            name={i === 0 ? 'starters' : undefined}
            aria-label={`Starter ${i + 1}`}
            maxLength={AGENT_LIMITS.starter}
            value={starter}
            onChange={(e) => set(i, e.target.value)}
          />
          <IconButton
            label={`Remove starter ${i + 1}`}
            onClick={() => change({ starters: starters.filter((_, at) => at !== i) })}
          >
            <X className="size-4" />
          </IconButton>
        </div>
      ))}
      {starters.length < AGENT_LIMITS.starters && (
        <Button size="sm" className="self-start" onClick={() => change({ starters: [...starters, ''] })}>
          <Plus className="size-4" />
          Add a starter
        </Button>
      )}
      <p className={errors.starters ? 'text-danger text-sm' : 'text-muted text-sm'}>
        {errors.starters ?? 'Questions to begin with, offered in an empty session.'}
      </p>
    </fieldset>
  );
}
