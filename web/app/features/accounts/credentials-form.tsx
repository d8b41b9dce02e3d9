import { DEFAULT_PASSWORD_MIN } from '@atelier/contract/accounts';
import { signInCalls } from '@atelier/contract/accounts/sign-in';
import { SENTENCES } from '@atelier/contract/errors';
import {
  type ComponentProps,
  type FormEvent,
  type ReactNode,
  useEffect,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react';
import { call } from '../../lib/http.ts';
import { ErrorBanner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { Field, type FieldControlProps } from '../../ui/field.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { Eye, EyeOff } from '../../ui/icons/lucide.ts';
import { toast } from '../../ui/overlay/toast.tsx';
import { LinkedSentence } from '../../ui/page/linked-sentence.tsx';
import { TextInput } from '../../ui/text-field.tsx';
import { loginRefusal } from './auth-errors.ts';
import { type CredentialField, type Credentials, isPassword, readValues } from './credentials/credential-field.ts';

export interface CredentialsFormProps {
  fields: readonly CredentialField[];
  submitLabel: string;
  workingLabel: string;
  /** Resolves once done; its errors are turned into a sentence by `describe`, otherwise by `loginRefusal`. */
  onSubmit: (values: Credentials) => Promise<void>;
  describe?: (error: unknown) => string;
  /** More controls below the fields. */
  children?: ReactNode;
  /** In a dialog: closes it. */
  onCancel?: () => void;
}

/** The rules and, for a password that anybody would guess, advice against it. */
const NewPasswordHint = ({ hint, isCommon }: { hint: string | undefined; isCommon: boolean }) => (
  <>
    {hint}
    <span role="status" className="block text-warning empty:hidden">
      {isCommon && SENTENCES.passwordCommon}
    </span>
  </>
);

const listenToNothing = () => () => {};
/** False in the page written at build time, true once it works. */
const useHydrated = () =>
  useSyncExternalStore(
    listenToNothing,
    () => true,
    () => false,
  );

/**
 * The form of login, sign-up and the account page: fields with their own errors, and the server's refusal below them. Inputs keep their own values, so text
 * typed before the page works, or filled in by the browser, counts too.
 */
export function CredentialsForm(props: CredentialsFormProps) {
  const { fields, submitLabel, workingLabel, onSubmit, describe = loginRefusal, children, onCancel } = props;
  const [missing, setMissing] = useState<readonly string[]>([]);
  const [refusal, setRefusal] = useState<string | null>(null);
  const [working, setWorking] = useState(false);
  // State arrives one render late; a second submit in the same frame must do nothing too.
  const busy = useRef(false);
  const hydrated = useHydrated();
  const common = useCommonPassword();
  const newPassword = fields.find(({ autoComplete }) => autoComplete === 'new-password')?.name;

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    if (busy.current) return;
    const form = event.currentTarget;
    const values = readValues(form);
    const empty = fields.filter(({ name }) => (isPassword(name) ? values[name] : values[name].trim()) === '');
    setMissing(empty.map(({ name }) => name));
    setRefusal(null);
    if (empty[0] !== undefined) return form.querySelector<HTMLInputElement>(`[name="${empty[0].name}"]`)?.focus();
    busy.current = true;
    setWorking(true);
    try {
      // Who has read it below the field need not read it again.
      const problem = newPassword === undefined || common.isCommon ? null : common.find(values[newPassword], values);
      await onSubmit(values);
      if (await problem) toast.warning(SENTENCES.passwordCommon);
    } catch (error) {
      setRefusal(describe(error));
    } finally {
      busy.current = false;
      setWorking(false);
    }
  }

  // `post`, because without our script a browser would put the password into the address.
  return (
    <form
      method="post"
      noValidate
      onSubmit={submit}
      onInput={({ currentTarget: form, target }) => {
        if (newPassword === undefined || target !== form.elements.namedItem(newPassword)) return;
        const values = readValues(form);
        common.follow(values[newPassword], values);
      }}
      className="flex flex-col gap-4"
    >
      {fields.map(({ name, label, missing: sentence, autoComplete, hint, value }) => (
        <Field
          key={name}
          label={label}
          hint={name === newPassword ? <NewPasswordHint hint={hint} isCommon={common.isCommon} /> : hint}
          error={missing.includes(name) ? sentence : null}
        >
          {(props) => {
            const rest = { ...props, name, autoComplete, defaultValue: value, required: true };
            if (isPassword(name)) return <PasswordInput {...rest} />;
            return <TextInput {...rest} type={name === 'email' ? 'email' : 'text'} />;
          }}
        </Field>
      ))}
      {refusal && (
        <ErrorBanner>
          <LinkedSentence>{refusal}</LinkedSentence>
        </ErrorBanner>
      )}
      {children}
      <div className={onCancel === undefined ? 'mt-2 grid' : 'flex flex-wrap justify-end gap-2'}>
        {onCancel !== undefined && <Button onClick={onCancel}>Cancel</Button>}
        <Button type="submit" variant="primary" disabled={!hydrated} loading={working} className="disabled:opacity-100">
          {working ? workingLabel : submitLabel}
        </Button>
      </div>
    </form>
  );
}

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
        Icon={Icon}
      />
    </span>
  );
}

/** People pause when they have typed a password. */
const PAUSE_MS = 300;

/** Whether the server counts a new password among the first that anybody would guess; false where it can't be asked. */
async function askWhetherCommon(password: string, { username: name, email }: Credentials): Promise<boolean> {
  if (password.length < DEFAULT_PASSWORD_MIN) return false;
  try {
    return (await call(signInCalls.checkPassword, { body: { password, name, email } })).common;
  } catch {
    return false;
  }
}

/** Follows a new password while it is typed. `find` is for one that is sent before there was a pause; each is asked about once. */
function useCommonPassword() {
  const [isCommon, setIsCommon] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const query = useRef({ password: '', answer: Promise.resolve(false) });
  useEffect(() => () => clearTimeout(timer.current), []);

  async function find(password: string, values: Credentials): Promise<boolean> {
    clearTimeout(timer.current);
    if (query.current.password !== password) query.current = { password, answer: askWhetherCommon(password, values) };
    const answer = await query.current.answer;
    if (query.current.password === password) setIsCommon(answer);
    return answer;
  }
  function follow(password: string, values: Credentials) {
    clearTimeout(timer.current);
    if (password !== query.current.password) setIsCommon(false);
    timer.current = setTimeout(() => void find(password, values), PAUSE_MS);
  }
  return { isCommon, follow, find };
}
