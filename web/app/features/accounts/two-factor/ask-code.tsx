import { ANY_CODE } from '../credentials/credential-field.ts';
import { CredentialsForm } from '../credentials-form.tsx';

interface AskCodeProps {
  label: string;
  onCancel: () => void;
  onCode: (code: string) => Promise<void>;
}

/** Asks for a code before a change that weakens the second factor. */
export function AskCode({ label, onCancel, onCode }: AskCodeProps) {
  return (
    <CredentialsForm
      fields={[ANY_CODE]}
      submitLabel={label}
      workingLabel="Checking..."
      onCancel={onCancel}
      onSubmit={({ code }) => onCode(code)}
    />
  );
}
