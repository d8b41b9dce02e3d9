import type { SignInProvider } from '@atelier/contract/accounts';
import { type GenericOAuthConfig, genericOAuth } from 'better-auth/plugins/generic-oauth';
import type { Config } from '../../../config.ts';
import { githubAt } from './github.ts';
import { googleAt } from './google.ts';
import type { ProviderPerson } from './provider-person.ts';

type ProviderConfig = Pick<
  Config,
  | 'GOOGLE_CLIENT_ID'
  | 'GOOGLE_CLIENT_SECRET'
  | 'GOOGLE_BASE_URL'
  | 'GITHUB_CLIENT_ID'
  | 'GITHUB_CLIENT_SECRET'
  | 'GITHUB_BASE_URL'
>;

/** The providers that this server has a client for, in the order in which pages show them. */
export function signInProviders(config: ProviderConfig): SignInProvider[] {
  return [
    ...(config.GOOGLE_CLIENT_ID === undefined ? [] : ['google' as const]),
    ...(config.GITHUB_CLIENT_ID === undefined ? [] : ['github' as const]),
  ];
}

/** better-auth's plugin for them. Where a provider doesn't say who it is, `onFailure` hears why, and the person is sent back to the login page. */
export function providersPlugin(config: ProviderConfig, onFailure: (error: unknown) => void) {
  const heard = (find: (token: string) => Promise<ProviderPerson>): Pick<GenericOAuthConfig, 'getUserInfo'> => ({
    getUserInfo: async ({ accessToken }) => {
      try {
        const { picture, email, ...person } = await find(accessToken ?? '');
        // A job fetches and checks the picture: pages never load one from elsewhere.
        return { ...person, email: email ?? undefined, image: picture ?? undefined };
      } catch (error) {
        onFailure(error);
        return null;
      }
    },
  });
  const client = (
    named: {
      providerId: SignInProvider;
      clientId: string | undefined;
      clientSecret: string | undefined;
      scopes: string[];
    },
    { endpoints, find }: ReturnType<typeof googleAt>,
  ): GenericOAuthConfig[] => {
    const { clientId, clientSecret } = named;
    if (clientId === undefined || clientSecret === undefined) return [];
    return [{ ...named, ...heard(find), ...endpoints, clientId, clientSecret }];
  };
  const google = { clientId: config.GOOGLE_CLIENT_ID, clientSecret: config.GOOGLE_CLIENT_SECRET };
  const github = { clientId: config.GITHUB_CLIENT_ID, clientSecret: config.GITHUB_CLIENT_SECRET };
  return genericOAuth({
    config: [
      ...client(
        { ...google, providerId: 'google', scopes: ['openid', 'email', 'profile'] },
        googleAt(config.GOOGLE_BASE_URL),
      ),
      ...client(
        { ...github, providerId: 'github', scopes: ['read:user', 'user:email'] },
        githubAt(config.GITHUB_BASE_URL),
      ),
    ],
  });
}
