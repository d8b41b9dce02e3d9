import { type SignInProvider, signInProvider } from '@atelier/contract/accounts';
import { useEffect, useState } from 'react';
import { useSearchParams } from 'react-router';
import { useAuth } from '../../../lib/auth.tsx';
import { toastError } from '../../../lib/toast-error.ts';
import { ErrorBanner } from '../../../ui/banner.tsx';
import { Button } from '../../../ui/button.tsx';
import { AlertDialog } from '../../../ui/overlay/alert-dialog.tsx';
import { toast } from '../../../ui/overlay/toast.tsx';
import { Setting } from '../../../ui/page/section.tsx';
import { useSignInProblem } from './sign-in-problem.ts';
import { useLink, useSignInProviders, useUnlink } from './ways-in.api.ts';

/** Accounts elsewhere with which the person signs in: those that are linked, and those that could be. */
export function LinkedAccounts() {
  const { user } = useAuth();
  const { providers, nameOf } = useSignInProviders();
  const problem = useSignInProblem();
  useTellLinked();
  if (user === null) return null;
  const linked = user.providerData.map(({ providerId }) => providerId);
  const shown = signInProvider.options.filter((one) => providers.includes(one) || linked.includes(one));
  return (
    <>
      {problem !== null && <ErrorBanner className="mt-4">{problem}</ErrorBanner>}
      {shown.map((provider) => (
        <LinkedAccount
          key={provider}
          provider={provider}
          name={nameOf(provider)}
          isLinked={linked.includes(provider)}
        />
      ))}
    </>
  );
}

/** Says once that the way back from a provider linked its account. */
function useTellLinked() {
  const [search, setSearch] = useSearchParams();
  const linked = signInProvider.safeParse(search.get('linked')).data;
  const { providers, nameOf } = useSignInProviders();
  const name = linked !== undefined && providers.includes(linked) ? nameOf(linked) : undefined;
  useEffect(() => {
    if (name === undefined) return;
    toast.success(`From now on you can also sign in with ${name}.`);
    setSearch({}, { replace: true });
  }, [name, setSearch]);
}

function LinkedAccount({ provider, name, isLinked }: { provider: SignInProvider; name: string; isLinked: boolean }) {
  const [open, setOpen] = useState(false);
  const link = useLink();
  const unlink = useUnlink();
  const end = () =>
    unlink.mutate(provider, {
      onSuccess: () => toast.success(`${name} is unlinked.`),
      onError: toastError,
    });
  const action = isLinked ? (
    <Button aria-label={`Unlink ${name}`} loading={unlink.isPending} onClick={() => setOpen(true)}>
      Unlink…
    </Button>
  ) : (
    <Button aria-label={`Link ${name}`} loading={link.isPending} onClick={() => setOpen(true)}>
      Link…
    </Button>
  );
  return (
    <Setting label={name} actions={action}>
      {isLinked ? `You can sign in with your account at ${name}.` : 'Not linked.'}
      <AlertDialog
        open={open}
        onOpenChange={setOpen}
        {...(isLinked
          ? {
              title: `Unlink ${name}?`,
              body: `You can’t sign in with your account at ${name} any more, until you link it again.`,
              confirmLabel: 'Unlink',
              danger: true,
              onConfirm: end,
            }
          : {
              title: `Link ${name}`,
              body: `You go to ${name}, and come back here once you have agreed.`,
              confirmLabel: `Go to ${name}`,
              onConfirm: () => link.mutate(provider, { onError: toastError }),
            })}
      />
    </Setting>
  );
}
