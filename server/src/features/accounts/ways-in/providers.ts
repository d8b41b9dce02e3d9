import type { SignInProvider } from '@atelier/contract/accounts';
import { USER_NAME_MAX } from '@atelier/contract/accounts/bodies';
import { cleanName } from '@atelier/contract/names/names';
import { type GenericOAuthConfig, genericOAuth } from 'better-auth/plugins/generic-oauth';
import { z } from 'zod';
import type { Config } from '../../../config.ts';
import { userName } from '../accounts.credentials.ts';

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

/** What a provider says of somebody, reduced to what an account has. */
interface ProviderPerson {
  id: string;
  email: string | null;
  emailVerified: boolean;
  name: string;
  picture: string | null;
}

const PATIENCE_MS = 10_000;

/** What a provider answers about the owner of a token. Throws when it refuses, or answers something else. */
async function ask<T>(schema: z.ZodType<T>, url: string, token: string): Promise<T> {
  const response = await fetch(url, {
    headers: { authorization: `Bearer ${token}`, accept: 'application/json', 'user-agent': 'atelier' },
    redirect: 'error',
    signal: AbortSignal.timeout(PATIENCE_MS),
  });
  if (!response.ok) {
    const answered = { provider: new URL(url).host, status: response.status };
    throw Object.assign(new Error(`the sign-in provider answered ${response.status}`), answered);
  }
  return schema.parse(await response.json());
}

/** The first that people may call themselves here, as long as a username may be. */
const nameOf = (...names: (string | null | undefined)[]): string =>
  names
    .map((name) =>
      cleanName(
        Array.from(cleanName(name ?? ''))
          .slice(0, USER_NAME_MAX)
          .join(''),
      ),
    )
    .find((name) => userName.safeParse(name).success) ?? 'Somebody';

const beforeAt = (email: string | null | undefined) => email?.split('@')[0];

const githubPerson = z.object({
  id: z.number().int(),
  login: z.string(),
  name: z.string().nullish(),
  avatar_url: z.url().nullish().catch(null),
});
const githubEmails = z.array(z.object({ email: z.string(), primary: z.boolean(), verified: z.boolean() }));

/** GitHub’s addresses, or those of a stand-in, and how to find who signed in. */
export function githubAt(base: string | undefined) {
  const site = base === undefined ? 'https://github.com' : new URL(base).origin;
  const api = base === undefined ? 'https://api.github.com' : `${site}/api/v3`;
  const endpoints = {
    authorizationUrl: `${site}/login/oauth/authorize`,
    tokenUrl: `${site}/login/oauth/access_token`,
  };
  const find = async (token: string): Promise<ProviderPerson> => {
    const person = await ask(githubPerson, `${api}/user`, token);
    const email = (await ask(githubEmails, `${api}/user/emails`, token)).find(({ primary }) => primary);
    return {
      id: String(person.id),
      email: email?.email ?? null,
      emailVerified: email?.verified === true,
      name: nameOf(person.name, person.login),
      picture: person.avatar_url ?? null,
    };
  };
  return { endpoints, find };
}

const googlePerson = z.object({
  sub: z.string().min(1),
  email: z.string().nullish(),
  email_verified: z.boolean().nullish(),
  name: z.string().nullish(),
  picture: z.url().nullish().catch(null),
});

/** Google’s addresses, or those of a stand-in, and how to find who signed in. */
export function googleAt(base: string | undefined) {
  const at = (google: string, path: string) => (base === undefined ? google : new URL(base).origin) + path;
  const endpoints = {
    authorizationUrl: at('https://accounts.google.com', '/o/oauth2/v2/auth'),
    tokenUrl: at('https://oauth2.googleapis.com', '/token'),
  };
  const find = async (token: string): Promise<ProviderPerson> => {
    const person = await ask(googlePerson, at('https://openidconnect.googleapis.com', '/v1/userinfo'), token);
    return {
      id: person.sub,
      email: person.email ?? null,
      emailVerified: person.email_verified === true,
      name: nameOf(person.name, beforeAt(person.email)),
      picture: person.picture ?? null,
    };
  };
  return { endpoints, find };
}
