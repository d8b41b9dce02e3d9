import { settingChanges } from '@atelier/contract/operator/settings';
import { type ReactNode, useState } from 'react';
import { ApiError, errorText } from '../../../lib/http.ts';
import { Banner, ErrorLine } from '../../../ui/banner.tsx';
import { Button } from '../../../ui/button.tsx';
import { toast } from '../../../ui/overlay/toast.tsx';
import { useUnsavedArea } from '../../../ui/overlay/unsaved.tsx';
import { Section } from '../../../ui/page/section.tsx';
import { SelectField } from '../../../ui/select.tsx';
import { TextField } from '../../../ui/text-field.tsx';
import { useChangeSettings } from '../admin.api.ts';
import { type Current, type SettingField, shownOf } from './setting-fields.ts';
import { useEdits } from './use-edits.ts';

interface SettingsFormProps {
  title: string;
  fields: readonly SettingField[];
  current: Current;
  needsReason?: boolean;
  /** What the operator must know before they save; below the fields. */
  children?: ReactNode;
}

/** Some settings, which are saved together. */
export function SettingsForm({ title, fields, current, needsReason = true, children }: SettingsFormProps) {
  const edits = useEdits(fields, current);
  const [reason, setReason] = useState('');
  const save = useChangeSettings();
  const { edited, changes, before } = edits;
  // What is just being saved may have arrived already.
  const contested = save.isPending ? [] : edits.contested;
  const isReady = edited.length > 0 && contested.length === 0 && (!needsReason || reason.trim() !== '');
  useUnsavedArea(edited.length > 0 && !save.isPending);
  const submit = () =>
    save.mutate(
      { changes, before, reason: reason.trim() },
      {
        onSuccess: (answer) => {
          edits.forgetSaved(answer);
          setReason('');
          toast.success('Saved.');
        },
      },
    );
  const cancel = () => {
    save.reset();
    edits.clear();
  };
  const wrong = problemsOf(changes);
  const refused = save.error instanceof ApiError ? save.error.field : undefined;
  return (
    <Section title={title}>
      <form
        noValidate
        className="mt-4 flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          if (isReady && wrong.size === 0 && !save.isPending) submit();
        }}
      >
        <div className="grid items-start gap-4 sm:grid-cols-2">
          {fields.map((field) => (
            <OneField
              key={field.key}
              field={field}
              text={edits.text(field)}
              error={wrong.get(field.key) ?? (refused?.endsWith(field.key) ? errorText(save.error) : undefined)}
              onChange={(text) => {
                save.reset();
                edits.type(field, text);
              }}
            />
          ))}
        </div>
        {children}
        {edited.length > 0 && needsReason && (
          <TextField
            label="Reason"
            hint="It is recorded in the audit log, with the values before and after."
            autoComplete="off"
            maxLength={500}
            value={reason}
            onChange={(event) => setReason(event.target.value)}
          />
        )}
        {contested.length > 0 && (
          <ChangedMeanwhile fields={contested} current={current} edits={edits} onChoice={() => save.reset()} />
        )}
        {/* Also where it stands at its field: this is read aloud. */}
        {save.error && <ErrorLine>{errorText(save.error)}</ErrorLine>}
        <div className="flex flex-wrap justify-end gap-2">
          {edited.length > 0 && (
            <Button variant="ghost" onClick={cancel} disabled={save.isPending}>
              Cancel
            </Button>
          )}
          <Button type="submit" disabled={!isReady || wrong.size > 0} loading={save.isPending}>
            Save
          </Button>
        </div>
      </form>
    </Section>
  );
}

interface ChangedMeanwhileProps {
  fields: readonly SettingField[];
  current: Current;
  edits: Pick<ReturnType<typeof useEdits>, 'keepTyped' | 'takeTheirs'>;
  onChoice: () => void;
}

/** Says what somebody else has stored while the operator typed, and asks which of both counts. */
function ChangedMeanwhile({ fields, current, edits, onChoice }: ChangedMeanwhileProps) {
  const choose = (act: () => void) => () => {
    onChoice();
    act();
  };
  return (
    <Banner tone="warning" role="alert">
      <p>Changed meanwhile. You see what you typed; saving it replaces the other version:</p>
      <ul className="mt-1 list-disc pl-5 [overflow-wrap:anywhere]">
        {fields.map((field) => (
          <li key={field.key}>
            {field.label}: {shownOf(field, current)}
          </li>
        ))}
      </ul>
      <div className="mt-3 flex flex-wrap gap-2">
        <Button size="sm" onClick={choose(edits.takeTheirs)}>
          Use the other version
        </Button>
        <Button size="sm" onClick={choose(edits.keepTyped)}>
          Keep what I typed
        </Button>
      </div>
    </Banner>
  );
}

/** What is wrong with a value, by its setting, before anybody asks the server. */
function problemsOf(changes: object): Map<string, string> {
  const issues = settingChanges.safeParse(changes).error?.issues ?? [];
  return new Map(issues.map(({ path: [key], message }) => [String(key), message]));
}

interface OneFieldProps {
  field: SettingField;
  text: string;
  error: string | undefined;
  onChange: (text: string) => void;
}

function OneField({ field: { label, hint, kind, options, max }, text, error, onChange }: OneFieldProps) {
  if (kind === 'choice')
    return (
      <SelectField
        label={label}
        hint={hint}
        error={error ?? null}
        options={options ?? []}
        value={text}
        onChange={(event) => onChange(event.target.value)}
      />
    );
  return (
    <TextField
      label={label}
      hint={hint}
      error={error ?? null}
      type={kind === 'day' ? 'date' : 'text'}
      autoComplete="off"
      {...(kind === 'whole' && { inputMode: 'numeric' })}
      {...(kind === 'figure' && { inputMode: 'decimal', placeholder: 'No budget' })}
      {...(kind === 'text' && { maxLength: max })}
      value={text}
      onChange={(event) => onChange(event.target.value)}
    />
  );
}
