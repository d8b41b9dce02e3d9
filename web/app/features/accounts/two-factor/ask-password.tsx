import { recoveryRefusal } from '../auth-errors.ts';
import { CredentialsForm } from '../credentials-form.tsx';

interface AskPasswordProps {
  label: string;
  onCancel: () => void;
  onPassword: (password: string) => Promise<void>;
}

export function AskPassword({ label, onCancel, onPassword }: AskPasswordProps) {
  const missing = 'Password is required.';
  return (
    <CredentialsForm
      fields={[{ name: 'password', label: 'Your password', missing, autoComplete: 'current-password' }]}
      submitLabel={label}
      workingLabel="Checking..."
      describe={recoveryRefusal}
      onCancel={onCancel}
      onSubmit={({ password }) => onPassword(password)}
    />
  );
}
