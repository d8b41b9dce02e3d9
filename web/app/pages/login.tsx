import { useEffect, useState } from 'react';
import { Link, useLocation } from 'react-router';
import { AuthPage } from '../features/accounts/auth-page.tsx';
import { ANY_CODE, type CredentialField } from '../features/accounts/credentials/credential-field.ts';
import { CredentialsForm } from '../features/accounts/credentials-form.tsx';
import { useEnter } from '../features/accounts/use-enter.ts';
import { OtherWays } from '../features/accounts/ways-in/other-ways.tsx';
import { useSignInProviders } from '../features/accounts/ways-in/ways-in.api.ts';
import { pageMeta, paintedWhole } from '../lib/page-meta.ts';
import { postSignIn, postSignInCode } from '../lib/sign-in.ts';
import { Button } from '../ui/button.tsx';

export const links = paintedWhole;

export const meta = () => pageMeta('Log in', 'Sign in to your agents, sessions and memories.', '/login');

const fields: CredentialField[] = [
  { name: 'email', label: 'Email', missing: 'Email is required.', autoComplete: 'email' },
  { name: 'password', label: 'Password', missing: 'Password is required.', autoComplete: 'current-password' },
];

export default function LoginPage() {
  const enter = useEnter();
  const { passwords } = useSignInProviders();
  const [asksCode, setAsksCode] = useState(false);
  const isHalfWay = new URLSearchParams(useLocation().search).get('step') === 'code';
  useEffect(() => setAsksCode(isHalfWay), [isHalfWay]);
  if (asksCode) {
    return (
      <AuthPage title="Enter your code" lead="One more step to log in.">
        <CredentialsForm
          key="code"
          fields={[ANY_CODE]}
          submitLabel="Log in"
          workingLabel="Logging in..."
          onSubmit={({ code }) => enter(() => postSignInCode(code))}
        />
        <Button variant="ghost" className="mt-4 -ml-4" onClick={() => setAsksCode(false)}>
          Start again
        </Button>
      </AuthPage>
    );
  }
  return (
    <AuthPage
      title="Log in"
      lead="Your agents remember where you left off."
      other={{ text: 'No account yet?', label: 'Create an account', to: '/signup' }}
      below={<OtherWays passkeys />}
    >
      {passwords && <PasswordLogin onCode={() => setAsksCode(true)} />}
    </AuthPage>
  );
}

function PasswordLogin({ onCode }: { onCode: () => void }) {
  const enter = useEnter();
  return (
    <>
      <CredentialsForm
        fields={fields}
        submitLabel="Log in"
        workingLabel="Logging in..."
        onSubmit={async ({ email, password }) => {
          if (await postSignIn({ email: email.trim(), password })) return enter(async () => {});
          onCode();
        }}
      />
      <p className="mt-6">
        <Link to="/login/forgot" className="text-muted underline underline-offset-4 hover:text-ink">
          Forgot your password?
        </Link>
      </p>
    </>
  );
}
