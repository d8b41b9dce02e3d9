import { useAuth } from '../../../lib/auth.tsx';
import { loginRefusal } from '../auth-errors.ts';
import { type CredentialField, OWN_PASSWORD } from '../credentials/credential-field.ts';
import { CredentialsForm } from '../credentials-form.tsx';
import { gaveUp } from './ways-in.api.ts';

export interface ConfirmFormProps {
  /** More fields, before the password. */
  fields?: CredentialField[];
  label: string;
  onCancel: () => void;
  /** Without a password where the account has none. */
  onConfirm: (values: { name: string; password: string | undefined }) => Promise<void>;
}

/** Whether the signed-in account has a password. */
export const useHasPassword = () =>
  useAuth().user?.providerData.some(({ providerId }) => providerId === 'password') ?? true;

const describe = (error: unknown) =>
  gaveUp(error) ? 'The request was cancelled or took too long. Please try again.' : loginRefusal(error);

/** Asks for the password before a change of how one signs in. */
export function ConfirmForm({ fields = [], label, onCancel, onConfirm }: ConfirmFormProps) {
  const hasPassword = useHasPassword();
  return (
    <CredentialsForm
      fields={hasPassword ? [...fields, OWN_PASSWORD] : fields}
      submitLabel={label}
      workingLabel="Waiting..."
      describe={describe}
      onCancel={onCancel}
      onSubmit={({ username, password }) =>
        onConfirm({ name: username.trim(), password: hasPassword ? password : undefined })
      }
    />
  );
}
