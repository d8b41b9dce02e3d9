import { signupRefusal } from '../features/accounts/auth-errors.ts';
import { AuthPage } from '../features/accounts/auth-page.tsx';
import type { CredentialField } from '../features/accounts/credentials/credential-field.ts';
import { CredentialsForm } from '../features/accounts/credentials-form.tsx';
import { useEnter } from '../features/accounts/use-enter.ts';
import { usePasswordHint } from '../features/accounts/use-password-hint.ts';
import { OtherWays } from '../features/accounts/ways-in/other-ways.tsx';
import { pageMeta, paintedWhole } from '../lib/page-meta.ts';
import { postSignUp } from '../lib/sign-in.ts';

export const links = paintedWhole;

export const meta = () =>
  pageMeta('Create Account', 'Create an account: three sessions, ten messages and fifty tasks are free.', '/signup');

const fields: CredentialField[] = [
  { name: 'username', label: 'Username', missing: 'Username is required.', autoComplete: 'username' },
  { name: 'email', label: 'Email', missing: 'Email is required.', autoComplete: 'email' },
  { name: 'password', label: 'Password', missing: 'Password is required.', autoComplete: 'new-password' },
];

export default function SignupPage() {
  const enter = useEnter();
  const hint = usePasswordHint();
  return (
    <AuthPage
      title="Create an account"
      lead="Build agents, talk with them, and let them remember."
      below={<OtherWays />}
      other={{ text: 'Already have an account?', label: 'Log in', to: '/login' }}
    >
      <CredentialsForm
        fields={fields.map((field) => (field.name === 'password' ? { ...field, hint } : field))}
        submitLabel="Create Account"
        workingLabel="Creating your account..."
        describe={signupRefusal}
        onSubmit={({ username, email, password }) =>
          enter(() => postSignUp({ name: username.trim(), email: email.trim(), password }))
        }
      />
    </AuthPage>
  );
}
