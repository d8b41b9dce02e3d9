import {
  type Passkey,
  passkeyAnswer,
  passkeyOptions,
  passkeysAnswer,
  providerAddress,
  type SignInProvider,
  signInProviders,
} from '@atelier/contract/accounts';
import { waysAnswer } from '@atelier/contract/sign-in/ways';
import { useMutation, useQuery } from '@tanstack/react-query';
import { z } from 'zod';
import { asOwner } from '../../../lib/auth/as-owner.ts';
import { request } from '../../../lib/http.ts';
import { refresh, refreshEach } from '../../../lib/live/stale.ts';
import { keys, queryClient } from '../../../lib/query.ts';

const done = z.unknown();

/** The providers that this server is known to. */
export const useSignInProviders = () =>
  useQuery({
    queryKey: keys.signInProviders,
    queryFn: async ({ signal }) =>
      (await request(signInProviders, 'GET', '/api/auth/providers', undefined, { signal })).providers,
  });

/** Where the browser signs in with an account elsewhere, to come back to `from`. Throws ApiError. */
export const postSocialSignIn = async (provider: SignInProvider, from: string) =>
  (await request(providerAddress, 'POST', '/api/auth/sign-in/social', { provider, from })).url;

/** Goes to where the person agrees to link an account elsewhere. */
export const useLink = () =>
  useMutation({
    mutationFn: async (provider: SignInProvider) => {
      const post = () => request(providerAddress, 'POST', '/api/auth/link-social', { provider });
      window.location.assign((await asOwner(post)).url);
    },
  });

/** Ends signing in with an account elsewhere. */
export const useUnlink = () =>
  useMutation({
    mutationFn: (provider: SignInProvider) =>
      asOwner(() => request(done, 'POST', '/api/auth/unlink-account', { provider })),
    onSettled: () => refresh('account'),
  });

/** Gives the account its first password. Throws ApiError. */
export const postFirstPassword = (newPassword: string) =>
  asOwner(() => request(done, 'POST', '/api/auth/set-password', { newPassword }));

/** What opens the account beside its password, and what of it is suspended. */
export const useWays = () =>
  useQuery({
    queryKey: keys.ways,
    queryFn: ({ signal }) => request(waysAnswer, 'GET', '/api/auth/ways', undefined, { signal }),
  });

/** Lets suspended ways in work again, by their ids. */
export const useKeepWays = () =>
  useMutation({
    mutationFn: (ids: string[]) => asOwner(() => request(waysAnswer, 'POST', '/api/auth/keep-ways', { ids })),
    onSuccess: (ways) => {
      queryClient.setQueryData(keys.ways, ways);
      refreshEach('account', 'keys', 'tools', 'shares');
    },
  });

/** The person's passkeys, the oldest first. */
export const usePasskeys = () =>
  useQuery({
    queryKey: keys.passkeys,
    queryFn: async ({ signal }) =>
      (await request(passkeysAnswer, 'GET', '/api/auth/passkey/list-user-passkeys', undefined, { signal })).passkeys,
  });

/** Whether this page can use passkeys: they belong to a name, never to an IP address. */
export const canUsePasskeys = () =>
  window.isSecureContext && 'PublicKeyCredential' in window && !/^[\d.]+$|:/u.test(window.location.hostname);

/** Has the browser make a passkey and adds it. Throws ApiError, or what the browser throws when the person gives up. */
export async function addPasskey(name: string): Promise<Passkey> {
  const begin = () => request(passkeyOptions, 'POST', '/api/auth/passkey/generate-register-options', {});
  const options = await asOwner(begin);
  const { startRegistration } = await import('./browser-passkeys.ts');
  const response = await startRegistration(options);
  const body = { name, response };
  // The browser may have taken longer than the proof lasts.
  return (await asOwner(() => request(passkeyAnswer, 'POST', '/api/auth/passkey/verify-registration', body))).passkey;
}

async function askForPasskey() {
  const options = await request(passkeyOptions, 'POST', '/api/auth/passkey/generate-authenticate-options', {});
  const { startAuthentication } = await import('./browser-passkeys.ts');
  return startAuthentication(options);
}

/** Signs in with a passkey of this browser. Throws as `addPasskey` does. */
export const postPasskeySignIn = async () =>
  void (await request(done, 'POST', '/api/auth/passkey/verify-authentication', { response: await askForPasskey() }));

/** Proves for five minutes that the signed-in person is the owner. Throws ApiError. */
export const postProof = (proof: { password: string } | { code: string } | { response: object }) =>
  request(done, 'POST', '/api/auth/confirm-owner', proof);

/** The same with a passkey of this browser. Throws as `addPasskey` does. */
export const postProofByPasskey = async () => postProof({ response: await askForPasskey() });

/** Names a passkey. */
export const postPasskeyName = (id: string, name: string) =>
  request(passkeyAnswer, 'POST', '/api/auth/passkey/update-passkey', { id, name });

/** Removes a passkey; what has it can't sign in any more. */
export const useDeletePasskey = () =>
  useMutation({
    mutationFn: (id: string) => asOwner(() => request(done, 'POST', '/api/auth/passkey/delete-passkey', { id })),
    onSettled: () => refresh('account'),
  });

/** Whether the person closed the browser's dialog. */
export const gaveUp = (error: unknown) =>
  error instanceof Error && ['NotAllowedError', 'AbortError'].includes(error.name);
