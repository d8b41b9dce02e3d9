import { recoveryCalls } from '@atelier/contract/accounts/ways';
import { useMutation } from '@tanstack/react-query';
import { useAuth } from '../../lib/auth.tsx';
import { call } from '../../lib/http.ts';
import { keys, queryClient } from '../../lib/query.ts';
import { Banner, ErrorBanner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { ButtonLink } from '../../ui/button-link.tsx';
import { loginRefusal } from './auth-errors.ts';
import { CutLink, useLinkToken } from './link-token.tsx';
import { SuspendedNote } from './ways-in/suspended-note.tsx';

/** Confirms the address to which a link was mailed. By a button, because mail programs open links by themselves. */
export function ConfirmEmail() {
  const { user } = useAuth();
  const token = useLinkToken();
  const confirm = useMutation({
    mutationFn: () => call(recoveryCalls.verifyEmail, { body: { token } }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: keys.me }),
  });
  if (confirm.isSuccess) {
    const { email, changed, suspended } = confirm.data;
    return (
      <>
        <Banner tone="success" role="status">
          {changed ? 'From now on you log in with ' : 'Thank you! You have confirmed '}
          <span className="break-words font-semibold">{email}</span>.
        </Banner>
        <SuspendedNote count={suspended}>On your Account page, keep what is yours.</SuspendedNote>
        <ButtonLink to={user === null ? '/login?from=/account' : '/account'} variant="primary" className="mt-4">
          Go to your account
        </ButtonLink>
      </>
    );
  }
  if (token === '') return <CutLink />;
  return (
    <div className="flex flex-col gap-4">
      {confirm.isError && <ErrorBanner>{loginRefusal(confirm.error)}</ErrorBanner>}
      <Button variant="primary" loading={confirm.isPending} onClick={() => confirm.mutate()}>
        Confirm
      </Button>
    </div>
  );
}
