import { type Passkey, PROVIDER_NAMES, type SignInProvider } from '@atelier/contract/accounts';
import type { PasskeyResponse } from '@atelier/contract/accounts/bodies';
import { passkeyCalls, providerCalls, wayCalls } from '@atelier/contract/accounts/ways';
import { useMutation, useQuery } from '@tanstack/react-query';
import { asOwner } from '../../../lib/auth/as-owner.ts';
import { call } from '../../../lib/http.ts';
import { refreshEach, useChange } from '../../../lib/live/stale.ts';
import { callQuery, keys, queryClient } from '../../../lib/query.ts';

/** The providers that this server is known to, what people call each, and whether anybody signs in with a password. */
export function useSignInProviders() {
  const { data } = useQuery(callQuery(keys.signInProviders, providerCalls.list));
  return {
    providers: data?.providers ?? [],
    nameOf: (provider: SignInProvider) => (provider === 'oidc' && data?.openIdName) || PROVIDER_NAMES[provider],
    passwords: data?.passwords ?? true,
  };
}

/** Where the browser signs in with an account elsewhere, to come back to `from`; a new account uses the invitation. Throws ApiError. */
export const postSocialSignIn = async (provider: SignInProvider, from: string, invitation?: string) =>
  (await call(providerCalls.signIn, { body: { provider, from, invitation } })).url;

/** Goes to where the person agrees to link an account elsewhere. */
export const useLink = () =>
  useMutation({
    mutationFn: async (provider: SignInProvider) => {
      const post = () => call(providerCalls.link, { body: { provider } });
      window.location.assign((await asOwner(post)).url);
    },
  });

/** Ends signing in with an account elsewhere. */
export const useUnlink = () =>
  useChange((provider: SignInProvider) => asOwner(() => call(providerCalls.unlink, { body: { provider } })), 'account');

/** Gives the account its first password. Throws ApiError. */
export const postFirstPassword = (newPassword: string) =>
  asOwner(() => call(wayCalls.setPassword, { body: { newPassword } }));

/** What opens the account beside its password, and what of it is suspended. */
export const useWays = () => useQuery(callQuery(keys.ways, wayCalls.list));

/** Lets suspended ways in work again, by their ids. */
export const useKeepWays = () =>
  useMutation({
    mutationFn: (ids: string[]) => asOwner(() => call(wayCalls.keep, { body: { ids } })),
    onSuccess: (ways) => {
      queryClient.setQueryData(keys.ways, ways);
      refreshEach('account', 'keys', 'tools', 'shares');
    },
  });

/** The person's passkeys, the oldest first. */
export const usePasskeys = () =>
  useQuery({ ...callQuery(keys.passkeys, passkeyCalls.list), select: (answer) => answer.passkeys });

/** Whether this page can use passkeys: they belong to a name, never to an IP address. */
export const canUsePasskeys = () =>
  window.isSecureContext && 'PublicKeyCredential' in window && !/^[\d.]+$|:/u.test(window.location.hostname);

/** Has the browser make a passkey and adds it. Throws ApiError, or what the browser throws when the person gives up. */
export async function addPasskey(name: string): Promise<Passkey> {
  const begin = () => call(passkeyCalls.begin, { body: {} });
  const options = await asOwner(begin);
  const { startRegistration } = await import('./browser-passkeys.ts');
  const response = await startRegistration(options);
  const body = { name, response };
  // The browser may have taken longer than the proof lasts.
  return (await asOwner(() => call(passkeyCalls.add, { body }))).passkey;
}

async function askForPasskey() {
  const options = await call(passkeyCalls.ask);
  const { startAuthentication } = await import('./browser-passkeys.ts');
  return startAuthentication(options);
}

/** Signs in with a passkey of this browser. Throws as `addPasskey` does. */
export const postPasskeySignIn = async () =>
  void (await call(passkeyCalls.signIn, { body: { response: await askForPasskey() } }));

/** Proves for five minutes that the signed-in person is the owner. Throws ApiError. */
export const postProof = (proof: { password: string } | { code: string } | { response: PasskeyResponse }) =>
  call(wayCalls.confirmOwner, { body: proof });

/** The same with a passkey of this browser. Throws as `addPasskey` does. */
export const postProofByPasskey = async () => postProof({ response: await askForPasskey() });

/** Names a passkey. */
export const postPasskeyName = (id: string, name: string) => call(passkeyCalls.rename, { body: { id, name } });

/** Removes a passkey; what has it can't sign in any more. */
export const useDeletePasskey = () =>
  useChange((id: string) => asOwner(() => call(passkeyCalls.remove, { body: { id } })), 'account');

/** Whether the person closed the browser's dialog. */
export const gaveUp = (error: unknown) =>
  error instanceof Error && ['NotAllowedError', 'AbortError'].includes(error.name);
