import { Eye, EyeOff } from 'lucide-react';
import { type ComponentProps, type FormEvent, useRef, useState, useSyncExternalStore } from 'react';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { Field, type FieldControlProps } from '../../ui/field.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { SupportSentence } from '../../ui/page/support-sentence.tsx';
import { TextInput } from '../../ui/text-input.tsx';

/** One input of the form; all are required. */
export interface CredentialField {
  name: 'username' | 'email' | 'password';
  label: string;
  /** The error for an empty field. */
  missing: string;
  autoComplete: string;
  hint?: string;
}
export type Credentials = Record<CredentialField['name'], string>;

export interface CredentialsFormProps {
  fields: readonly CredentialField[];
  submitLabel: string;
  workingLabel: string;
  /** Resolves once signed in; its errors are turned into a sentence by `describe`. */
  onSubmit: (values: Credentials) => Promise<void>;
  describe: (error: unknown) => string;
}

const listenToNothing = () => () => {};
/** False in the page written at build time, true once it works. */
const useHydrated = () =>
  useSyncExternalStore(
    listenToNothing,
    () => true,
    () => false,
  );

/**
 * The form of login and sign-up: fields with their own errors, and the server's refusal below them. Inputs keep their own values, so text
 * typed before the page works, or filled in by the browser, counts too.
 */
export function CredentialsForm({ fields, submitLabel, workingLabel, onSubmit, describe }: CredentialsFormProps) {
  const [missing, setMissing] = useState<readonly string[]>([]);
  const [refusal, setRefusal] = useState<string | null>(null);
  const [working, setWorking] = useState(false);
  // State arrives one render late; a second submit in the same frame must do nothing too.
  const busy = useRef(false);
  const hydrated = useHydrated();

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    if (busy.current) return;
    const form = event.currentTarget;
    const values = readValues(form);
    const empty = fields.filter(({ name }) => (name === 'password' ? values[name] === '' : values[name].trim() === ''));
    setMissing(empty.map(({ name }) => name));
    setRefusal(null);
    if (empty[0] !== undefined) return form.querySelector<HTMLInputElement>(`[name="${empty[0].name}"]`)?.focus();
    busy.current = true;
    setWorking(true);
    try {
      await onSubmit(values);
    } catch (error) {
      setRefusal(describe(error));
    } finally {
      busy.current = false;
      setWorking(false);
    }
  }

  // `post`, because without our script a browser would put the password into the address.
  return (
    <form method="post" noValidate onSubmit={submit} className="flex flex-col gap-4">
      {fields.map(({ name, label, missing: sentence, autoComplete, hint }) => (
        <Field key={name} label={label} hint={hint} error={missing.includes(name) ? sentence : null}>
          {(props) => {
            const rest = { ...props, name, autoComplete, required: true };
            if (name === 'password') return <PasswordInput {...rest} />;
            return <TextInput {...rest} type={name === 'email' ? 'email' : 'text'} />;
          }}
        </Field>
      ))}
      {refusal && (
        <Banner tone="danger" role="alert">
          <SupportSentence>{refusal}</SupportSentence>
        </Banner>
      )}
      <Button
        type="submit"
        variant="primary"
        disabled={!hydrated}
        loading={working}
        className="mt-2 disabled:opacity-100"
      >
        {working ? workingLabel : submitLabel}
      </Button>
    </form>
  );
}

function readValues(form: HTMLFormElement): Credentials {
  const data = new FormData(form);
  const text = (name: string) => String(data.get(name) ?? '');
  return { username: text('username'), email: text('email'), password: text('password') };
}

/** A password field whose text can be shown. */
function PasswordInput(props: FieldControlProps & ComponentProps<'input'>) {
  const [shown, setShown] = useState(false);
  const Icon = shown ? EyeOff : Eye;
  return (
    <span className="relative block">
      <TextInput {...props} type={shown ? 'text' : 'password'} spellCheck={false} className="pr-12" />
      <IconButton
        label={shown ? 'Hide password' : 'Show password'}
        aria-pressed={shown}
        onClick={() => setShown(!shown)}
        className="absolute top-0.5 right-0.5 touch:top-0 touch:right-0"
      >
        <Icon aria-hidden="true" className="size-5" />
      </IconButton>
    </span>
  );
}
