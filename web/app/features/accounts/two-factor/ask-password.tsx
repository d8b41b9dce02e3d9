import { OWN_PASSWORD } from '../credentials/credential-field.ts';
import { CredentialsForm } from '../credentials-form.tsx';

interface AskPasswordProps {
  label: string;
  onCancel: () => void;
  onPassword: (password: string) => Promise<void>;
}

/** Asks for the password before a change of the second factor. */
export function AskPassword({ label, onCancel, onPassword }: AskPasswordProps) {
  return (
    <CredentialsForm
      fields={[OWN_PASSWORD]}
      submitLabel={label}
      workingLabel="Checking..."
      onCancel={onCancel}
      onSubmit={({ password }) => onPassword(password)}
    />
  );
}
