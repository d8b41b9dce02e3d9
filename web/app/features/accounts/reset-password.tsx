import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import { z } from 'zod';
import { request } from '../../lib/http.ts';
import { keys } from '../../lib/query.ts';
import { Banner } from '../../ui/banner.tsx';
import { buttonClass } from '../../ui/button.tsx';
import type { CredentialField } from './credentials/credential-field.ts';
import { CredentialsForm } from './credentials-form.tsx';
import { CutLink, useLinkToken } from './link-token.tsx';
import { usePasswordHint } from './use-password-hint.ts';

/** Chooses a new password by the link that was mailed or issued. */
export function ResetPassword() {
  const token = useLinkToken();
  const hint = usePasswordHint();
  const client = useQueryClient();
  const [done, setDone] = useState(false);
  if (done) {
    return (
      <>
        <Banner tone="success" role="status">
          Your password is changed, and all devices are signed out.
        </Banner>
        <Link to="/login" className={buttonClass('primary', 'md', 'mt-4')}>
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
        await request(z.unknown(), 'POST', '/api/auth/reset-password', { token, newPassword: password });
        setDone(true);
        // This browser may have been signed in too.
        await client.invalidateQueries({ queryKey: keys.signIn });
      }}
    />
  );
}
