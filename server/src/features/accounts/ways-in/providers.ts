import type { SignInProvider } from '@atelier/contract/accounts';
import { type GenericOAuthConfig, genericOAuth } from 'better-auth/plugins/generic-oauth';
import { z } from 'zod';
import type { Config } from '../../../config.ts';

/** What a provider says of somebody, reduced to what an account has. */
interface ProviderPerson {
  id: string;
  email: string | null;
  emailVerified: boolean;
  name: string;
  picture: string | null;
}

const PATIENCE_MS = 10_000;
const NAME_MAX = 100;

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
  const { GOOGLE_CLIENT_ID, GOOGLE_CLIENT_SECRET, GITHUB_CLIENT_ID, GITHUB_CLIENT_SECRET } = config;
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
  const google = googleAt(config.GOOGLE_BASE_URL);
  const github = githubAt(config.GITHUB_BASE_URL);
  return genericOAuth({
    config: [
      ...(GOOGLE_CLIENT_ID === undefined || GOOGLE_CLIENT_SECRET === undefined
        ? []
        : [
            {
              ...heard(google.find),
              ...google.endpoints,
              providerId: 'google',
              clientId: GOOGLE_CLIENT_ID,
              clientSecret: GOOGLE_CLIENT_SECRET,
              scopes: ['openid', 'email', 'profile'],
            },
          ]),
      ...(GITHUB_CLIENT_ID === undefined || GITHUB_CLIENT_SECRET === undefined
        ? []
        : [
            {
              ...heard(github.find),
              ...github.endpoints,
              providerId: 'github',
              clientId: GITHUB_CLIENT_ID,
              clientSecret: GITHUB_CLIENT_SECRET,
              scopes: ['read:user', 'user:email'],
            },
          ]),
    ],
  });
}

async function ask<T>(schema: z.ZodType<T>, url: string, token: string): Promise<T> {
  const response = await fetch(url, {
    headers: { authorization: `Bearer ${token}`, accept: 'application/json', 'user-agent': 'atelier' },
    redirect: 'error',
    signal: AbortSignal.timeout(PATIENCE_MS),
  });
  if (!response.ok) throw new Error(`the sign-in provider answered ${response.status}`);
  return schema.parse(await response.json());
}

/** The first that says something, as long as a display name may be. */
const nameOf = (...names: (string | null | undefined)[]) =>
  [...(names.map((name) => name?.trim() ?? '').find((name) => name !== '') ?? '')].slice(0, NAME_MAX).join('');

const beforeAt = (email: string | null | undefined) => email?.split('@')[0];

const googlePerson = z.object({
  sub: z.string().min(1),
  email: z.string().nullish(),
  email_verified: z.boolean().nullish(),
  name: z.string().nullish(),
  picture: z.url().nullish().catch(null),
});

function googleAt(base: string | undefined) {
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

const githubPerson = z.object({
  id: z.number().int(),
  login: z.string(),
  name: z.string().nullish(),
  avatar_url: z.url().nullish().catch(null),
});
const githubEmails = z.array(z.object({ email: z.string(), primary: z.boolean(), verified: z.boolean() }));

function githubAt(base: string | undefined) {
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
