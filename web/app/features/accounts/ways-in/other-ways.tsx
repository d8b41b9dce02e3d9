import type { SignInProvider } from '@atelier/contract/accounts';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useLocation } from 'react-router';
import { errorText } from '../../../lib/http.ts';
import { returnPlace } from '../../../lib/return-place.ts';
import { ErrorBanner } from '../../../ui/banner.tsx';
import { Button } from '../../../ui/button.tsx';
import { KeyRound } from '../../../ui/icons/lucide.ts';
import { useEnter } from '../use-enter.ts';
import { canUsePasskeys, gaveUp, postPasskeySignIn, postSocialSignIn, useSignInProviders } from './ways-in.api.ts';

interface OtherWaysProps {
  passkeys?: boolean;
  /** With which somebody may open an account. */
  invitation?: string | undefined;
}

/** Signing in without a password; below everything else of the page, because it isn't known at first what there is. */
export function OtherWays({ passkeys = false, invitation }: OtherWaysProps) {
  const { providers, nameOf } = useSignInProviders();
  const { state: passed, search } = useLocation();
  const enter = useEnter();
  const [isAble, setAble] = useState(false);
  useEffect(() => setAble(passkeys && canUsePasskeys()), [passkeys]);
  const go = useMutation({
    mutationFn: async (provider: SignInProvider) => {
      const state: unknown = passed ?? { from: new URLSearchParams(search).get('from') };
      const from = returnPlace(state, window.location.origin);
      window.location.assign(await postSocialSignIn(provider, from, invitation));
      // The page is left; until then the button goes on showing that it works.
      await new Promise(() => {});
    },
  });
  const passkey = useMutation({ mutationFn: () => enter(postPasskeySignIn) });
  const problem = go.error ?? passkey.error;
  if (providers.length === 0 && !isAble) return null;
  return (
    <div className="mt-8 flex flex-col gap-3 border-t pt-6">
      {problem !== null && !gaveUp(problem) && <ErrorBanner>{errorText(problem)}</ErrorBanner>}
      {providers.map((provider) => (
        <Button
          key={provider}
          loading={go.isPending && go.variables === provider}
          disabled={go.isPending && go.variables !== provider}
          onClick={() => go.mutate(provider)}
        >
          Continue with {nameOf(provider)}
        </Button>
      ))}
      {isAble && (
        <Button loading={passkey.isPending} onClick={() => passkey.mutate()}>
          {!passkey.isPending && <KeyRound className="size-4" />}
          Use a passkey
        </Button>
      )}
    </div>
  );
}
