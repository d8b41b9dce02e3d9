import { WAITING, type WaitsFor } from '@atelier/contract/accounts/door';
import { useState } from 'react';
import { signupRefusal } from '../features/accounts/auth-errors.ts';
import { AuthPage } from '../features/accounts/auth-page.tsx';
import type { CredentialField } from '../features/accounts/credentials/credential-field.ts';
import { CredentialsForm } from '../features/accounts/credentials-form.tsx';
import { useDoor } from '../features/accounts/door/use-door.ts';
import { useEnter } from '../features/accounts/use-enter.ts';
import { usePasswordHint } from '../features/accounts/use-password-hint.ts';
import { OtherWays } from '../features/accounts/ways-in/other-ways.tsx';
import { useSignInProviders } from '../features/accounts/ways-in/ways-in.api.ts';
import { pageMeta, paintedWhole } from '../lib/page-meta.ts';
import { postSignUp } from '../lib/sign-in.ts';
import { Banner } from '../ui/banner.tsx';
import { classes } from '../ui/classes.ts';

export const links = paintedWhole;

export const meta = () =>
  pageMeta('Create Account', 'Create an account: three sessions, ten messages and fifty tasks are free.', '/signup');

const fields: CredentialField[] = [
  { name: 'username', label: 'Username', missing: 'Username is required.', autoComplete: 'username' },
  { name: 'email', label: 'Email', missing: 'Email is required.', autoComplete: 'email' },
  { name: 'password', label: 'Password', missing: 'Password is required.', autoComplete: 'new-password' },
];

const LEAD = 'Build agents, talk with them, and let them remember.';

/** What the server says beforehand takes the place of the lead, so that nothing moves. */
const Lead = ({ notice }: { notice: string | null }) => (
  <span
    role={notice === null ? undefined : 'status'}
    className={classes('block min-h-12', notice !== null && 'text-ink')}
  >
    {notice ?? LEAD}
  </span>
);

export default function SignupPage() {
  const door = useDoor();
  const { passwords } = useSignInProviders();
  const [waitingFor, setWaitingFor] = useState<WaitsFor | null>(null);
  if (waitingFor !== null) {
    return (
      <AuthPage title="Almost there" lead="Your account is created.">
        <Banner role="status">{WAITING[waitingFor].sentence}</Banner>
      </AuthPage>
    );
  }
  return (
    <AuthPage
      title="Create an account"
      lead={<Lead notice={door.notice} />}
      below={door.isOpen && <OtherWays invitation={door.invitation} />}
      other={{ text: 'Already have an account?', label: 'Log in', to: '/login' }}
    >
      {door.isOpen && passwords && <SignupForm invitation={door.invitation} onWait={setWaitingFor} />}
    </AuthPage>
  );
}

interface SignupFormProps {
  invitation: string | undefined;
  onWait: (waitingFor: WaitsFor) => void;
}

function SignupForm({ invitation, onWait }: SignupFormProps) {
  const enter = useEnter();
  const hint = usePasswordHint();
  return (
    <CredentialsForm
      fields={fields.map((field) => (field.name === 'password' ? { ...field, hint } : field))}
      submitLabel="Create Account"
      workingLabel="Creating your account..."
      describe={signupRefusal}
      onSubmit={async ({ username, email, password }) => {
        const waitingFor = await postSignUp({ name: username.trim(), email: email.trim(), password, invitation });
        if (waitingFor !== null) return onWait(waitingFor);
        return enter(async () => {});
      }}
    />
  );
}
