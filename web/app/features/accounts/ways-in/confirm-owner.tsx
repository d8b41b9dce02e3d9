import { type SignInProvider, signInProvider } from '@atelier/contract/accounts';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useLocation } from 'react-router';
import { ownerQuestion } from '../../../lib/auth/as-owner.ts';
import { useAuth } from '../../../lib/auth.tsx';
import { errorText } from '../../../lib/http.ts';
import { LoadFailure } from '../../../lib/load-failure.tsx';
import { ErrorBanner } from '../../../ui/banner.tsx';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/overlay/dialog.tsx';
import { Loading } from '../../../ui/skeleton.tsx';
import { passkeyRefusal } from '../auth-errors.ts';
import { ANY_CODE, type CredentialField, type Credentials, OWN_PASSWORD } from '../credentials/credential-field.ts';
import { CredentialsForm } from '../credentials-form.tsx';
import { useHasPassword } from './use-has-password.ts';
import {
  canUsePasskeys,
  postProof,
  postProofByPasskey,
  postSocialSignIn,
  usePasskeys,
  useSignInProviders,
} from './ways-in.api.ts';

/** Asks for a proof of the owner wherever `asOwner` needs one. Once on a page. */
export function ConfirmOwner() {
  const question = ownerQuestion.useValue();
  useEffect(() => () => question?.cancel(), [question]);
  return (
    <Dialog
      open={question !== null}
      onOpenChange={() => question?.cancel()}
      title="Confirm that it is you"
      description="This changes how people get into your account. You won’t be asked again for five minutes."
    >
      {question !== null && <Proofs onProved={question.proved} onCancel={question.cancel} />}
    </Dialog>
  );
}

interface Proof {
  fields: CredentialField[];
  submitLabel: string;
  workingLabel: string;
  give: (values: Credentials) => Promise<unknown>;
  /** The button that chooses it instead of another one. */
  instead: string;
}

const PROOFS = {
  password: {
    fields: [OWN_PASSWORD],
    submitLabel: 'Confirm',
    workingLabel: 'Checking...',
    give: ({ password }) => postProof({ password }),
    instead: 'Use your password instead',
  },
  passkey: {
    fields: [],
    submitLabel: 'Use a passkey',
    workingLabel: 'Waiting...',
    give: postProofByPasskey,
    instead: 'Use a passkey instead',
  },
  code: {
    fields: [ANY_CODE],
    submitLabel: 'Confirm',
    workingLabel: 'Checking...',
    give: ({ code }) => postProof({ code }),
    instead: 'Use a code instead',
  },
} satisfies Record<string, Proof>;
type ProofKind = keyof typeof PROOFS;

/** What the account can prove with: one at first, the others by a button. */
function Proofs({ onProved, onCancel }: { onProved: () => void; onCancel: () => void }) {
  const { me, user } = useAuth();
  const hasPassword = useHasPassword();
  const passkeys = usePasskeys();
  const [chosen, setChosen] = useState<ProofKind | null>(null);
  const form = useRef<HTMLDivElement>(null);
  // The pressed button is gone.
  useEffect(() => {
    if (chosen !== null) form.current?.querySelector<HTMLElement>('input:not([hidden]), [type="submit"]')?.focus();
  }, [chosen]);
  const kinds: ProofKind[] = [
    ...(hasPassword ? ['password' as const] : []),
    ...(passkeys.data?.length && canUsePasskeys() ? ['passkey' as const] : []),
    ...(me?.security.twoFactor ? ['code' as const] : []),
  ];
  const kind = chosen ?? kinds[0];
  if (kind === undefined && passkeys.isPending) return <Loading label="Loading your passkeys" parts={['h-10']} />;
  if (kind === undefined && passkeys.isLoadingError) return <LoadFailure of={passkeys} />;
  if (kind === undefined) return <SignInAgain hasPasskeys={passkeys.data?.length !== 0} />;
  const { fields, submitLabel, workingLabel, give }: Proof = PROOFS[kind];
  return (
    <div ref={form}>
      <CredentialsForm
        key={kind}
        fields={fields}
        submitLabel={submitLabel}
        workingLabel={workingLabel}
        describe={passkeyRefusal}
        onCancel={onCancel}
        onSubmit={async (values) => {
          await give(values);
          onProved();
        }}
      >
        <input type="text" name="account" autoComplete="username" defaultValue={user?.email} hidden readOnly />
      </CredentialsForm>
      {kinds.length === 1 && kind === 'passkey' && <LostPasskey />}
      {kinds.length > 1 && (
        <div className="mt-4 flex flex-col items-start border-t pt-3">
          {kinds
            .filter((other) => other !== kind)
            .map((other) => (
              <Button key={other} variant="ghost" className="-ml-4" onClick={() => setChosen(other)}>
                {PROOFS[other].instead}
              </Button>
            ))}
        </div>
      )}
    </div>
  );
}

/** What to do when a passkey is the only proof and it is lost. */
function LostPasskey() {
  const { passwords } = useSignInProviders();
  return (
    <p className="mt-4 text-muted text-sm">
      {passwords
        ? 'No passkey at hand any more? Sign out, and use “Forgot your password?” on the login page.'
        : 'No passkey at hand any more? Ask the people who run this server to remove it.'}
    </p>
  );
}

/** For an account that has nothing else: a new sign-in by its provider is the proof, and leads back here. */
function SignInAgain({ hasPasskeys }: { hasPasskeys: boolean }) {
  const { pathname } = useLocation();
  const { user } = useAuth();
  const { providers, nameOf } = useSignInProviders();
  const linked = (user?.providerData ?? []).flatMap(
    ({ providerId }) => signInProvider.safeParse(providerId).data ?? [],
  );
  const go = useMutation({
    mutationFn: async (provider: SignInProvider) => window.location.assign(await postSocialSignIn(provider, pathname)),
  });
  const usable = linked.filter((provider) => providers.includes(provider));
  return (
    <div className="flex flex-col gap-4">
      {go.isError && <ErrorBanner>{errorText(go.error)}</ErrorBanner>}
      <p>
        {hasPasskeys
          ? 'This browser can’t use your passkeys at this address. Use another browser or device.'
          : 'Your account has no password. Sign in again: you come back to this page and have five minutes to go on.'}
      </p>
      {hasPasskeys && <LostPasskey />}
      {!hasPasskeys &&
        usable.map((provider) => (
          <Button key={provider} variant="primary" loading={go.isPending} onClick={() => go.mutate(provider)}>
            Sign in again with {nameOf(provider)}
          </Button>
        ))}
    </div>
  );
}
