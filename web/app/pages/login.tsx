import { Link } from 'react-router';
import { loginRefusal } from '../features/accounts/auth-errors.ts';
import { AuthPage } from '../features/accounts/auth-page.tsx';
import { type CredentialField, CredentialsForm } from '../features/accounts/credentials-form.tsx';
import { useEnter } from '../features/accounts/use-enter.ts';
import { pageMeta, paintedWhole } from '../lib/page-meta.ts';
import { postSignIn } from '../lib/sign-in.ts';

export const links = paintedWhole;

export const meta = () => pageMeta('Log in', 'Sign in to your agents, sessions and memories.', '/login');

const fields: CredentialField[] = [
  { name: 'email', label: 'Email', missing: 'Email is required.', autoComplete: 'email' },
  { name: 'password', label: 'Password', missing: 'Password is required.', autoComplete: 'current-password' },
];

export default function LoginPage() {
  const enter = useEnter();
  return (
    <AuthPage
      title="Log in"
      lead="Your agents remember where you left off."
      other={{ text: 'No account yet?', label: 'Create an account', to: '/signup' }}
    >
      <CredentialsForm
        fields={fields}
        submitLabel="Log In"
        workingLabel="Logging in..."
        describe={loginRefusal}
        onSubmit={({ email, password }) => enter(() => postSignIn({ email: email.trim(), password }))}
      />
      <p className="mt-6">
        <Link to="/login/forgot" className="text-muted underline underline-offset-4 hover:text-ink">
          Forgot your password?
        </Link>
      </p>
    </AuthPage>
  );
}
