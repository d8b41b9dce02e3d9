import { recoveryCalls } from '@atelier/contract/accounts/ways';
import { useState } from 'react';
import { Link } from 'react-router';
import { call } from '../../lib/http.ts';
import { keys, queryClient } from '../../lib/query.ts';
import { Banner } from '../../ui/banner.tsx';
import { buttonClass } from '../../ui/button.tsx';
import type { CredentialField } from './credentials/credential-field.ts';
import { CredentialsForm } from './credentials-form.tsx';
import { CutLink, useLinkToken } from './link-token.tsx';
import { usePasswordHint } from './use-password-hint.ts';
import { SuspendedNote } from './ways-in/suspended-note.tsx';

/** Chooses a new password by the link that was mailed or issued. */
export function ResetPassword() {
  const token = useLinkToken();
  const hint = usePasswordHint();
  const [suspended, setSuspended] = useState<number | null>(null);
  if (suspended !== null) {
    return (
      <>
        <Banner tone="success" role="status">
          Your password is changed, and all devices are signed out.
        </Banner>
        <SuspendedNote count={suspended}>Log in, and keep what is yours.</SuspendedNote>
        <Link to={suspended > 0 ? '/login?from=/account' : '/login'} className={buttonClass('primary', 'md', 'mt-4')}>
          Log in
        </Link>
      </>
    );
  }
  if (token === '') return <CutLink />;
  const field: CredentialField = {
    name: 'password',
    label: 'New password',
    missing: 'Password is required.',
    autoComplete: 'new-password',
    hint,
  };
  return (
    <CredentialsForm
      fields={[field]}
      submitLabel="Set new password"
      workingLabel="Setting your password..."
      onSubmit={async ({ password }) => {
        const body = { token, newPassword: password };
        setSuspended((await call(recoveryCalls.reset, { body })).suspended);
        // This browser may have been signed in too.
        await queryClient.invalidateQueries({ queryKey: keys.signIn });
      }}
    />
  );
}
