import { signInCalls } from '@atelier/contract/accounts/sign-in';
import { recoveryCalls } from '@atelier/contract/accounts/ways';
import { type Distrust, SENTENCES } from '@atelier/contract/errors';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import { call } from '../../lib/http.ts';
import { LoadFailure } from '../../lib/load-failure.tsx';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import type { CredentialField } from './credentials/credential-field.ts';
import { CredentialsForm } from './credentials-form.tsx';

const fields: CredentialField[] = [
  { name: 'email', label: 'Email', missing: 'Email is required.', autoComplete: 'email' },
];

/** Asks for a link by mail or, where this server sends no mail, says whom to ask for one. */
export function ForgotPassword() {
  const [sentTo, setSentTo] = useState<string | null>(null);
  const ways = useQuery({
    // Not among the shared keys: it doesn't change while the server runs.
    queryKey: ['recovery'],
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: ({ signal }) => call(signInCalls.recovery, { signal }),
  });
  if (ways.isPending) return <Skeleton className="h-36" />;
  if (!ways.data) return <LoadFailure of={ways} />;
  if (!ways.data.byMail) return <AskOperator because={ways.data.noMailBecause} />;
  if (sentTo !== null) return <Sent email={sentTo} onAgain={() => setSentTo(null)} />;
  return (
    <CredentialsForm
      fields={fields}
      submitLabel="Send me a link"
      workingLabel="Sending..."
      onSubmit={async ({ email }) => {
        await call(recoveryCalls.request, { body: { email: email.trim() } });
        setSentTo(email.trim());
      }}
    />
  );
}

function Sent({ email, onAgain }: { email: string; onAgain: () => void }) {
  return (
    <>
      <Banner tone="success" role="status">
        <p>
          If <span className="break-words font-semibold">{email}</span> has an account, a link to choose a new password
          is on its way. It works once, within 30 minutes.
        </p>
        <p className="mt-2 text-muted">Nothing there? Look in your spam folder, or check the spelling.</p>
      </Banner>
      <Button className="mt-4" onClick={onAgain}>
        Use another email
      </Button>
    </>
  );
}

const NO_MAIL: Record<Distrust, string> = {
  settings: 'This server sends no mail.',
  proxy: SENTENCES.mailProxied,
  address: SENTENCES.mailElsewhere,
};

function AskOperator({ because }: { because: Distrust | null }) {
  return (
    <Banner>
      <p>
        {NO_MAIL[because ?? 'settings']} Ask the person who runs it for a link to choose a new password, in person or by
        the{' '}
        <Link to="/contact" className="underline underline-offset-4">
          contact page
        </Link>
        .
      </p>
      <p className="mt-3 text-muted text-sm">
        You run it yourself? This command makes the link:
        <code className="mt-1 block break-words font-mono text-ink">npm run admin -- reset-link EMAIL</code>
      </p>
    </Banner>
  );
}
