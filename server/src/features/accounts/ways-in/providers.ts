import { PROVIDER_NAMES, type SignInProvider } from '@atelier/contract/accounts';
import { USER_NAME_MAX } from '@atelier/contract/accounts/bodies';
import { cleanName } from '@atelier/contract/names/names';
import { createAuthorizationURL, type OAuth2Tokens, validateAuthorizationCode } from '@better-auth/core/oauth2';
import { getOAuthState } from 'better-auth/api';
import { z } from 'zod';
import type { Config } from '../../../config.ts';
import { userName } from '../accounts.credentials.ts';
import { discover, isVerified, readClaims } from './open-id.ts';

type ProviderConfig = Pick<Config, Extract<keyof Config, `${'GOOGLE' | 'GITHUB' | 'OIDC'}_${string}`>>;

type Tokens = Pick<OAuth2Tokens, 'accessToken' | 'idToken'>;

/** Where people have accounts elsewhere, and how to learn who they are there. */
interface Provider {
  id: SignInProvider;
  name: string;
  clientId: string;
  clientSecret: string;
  scopes: string[];
  /** Its ID tokens are bound to the sign-in for which they were asked. */
  hasNonce?: true;
  /** Asked for at each sign-in, so that a provider that is away at the start isn't missing until the next one. */
  endpoints: () => Promise<Endpoints>;
  find: (tokens: Tokens, nonce: string | undefined) => Promise<ProviderPerson>;
}

interface Endpoints {
  authorizationUrl: string;
  tokenUrl: string;
  /** How the token endpoint learns the client. */
  authentication: 'basic' | 'post';
  /** What it calls itself in its answers (RFC 9207), and whether it always does. */
  issuer?: { name: string; isAlwaysNamed: boolean };
}

/** The providers that this server has a client for, in the order in which pages show them. */
export function providersOf(config: ProviderConfig): Provider[] {
  const { GOOGLE_CLIENT_ID, GOOGLE_CLIENT_SECRET, GITHUB_CLIENT_ID, GITHUB_CLIENT_SECRET } = config;
  const { OIDC_ISSUER, OIDC_CLIENT_ID, OIDC_CLIENT_SECRET } = config;
  const all: Provider[] = [];
  if (OIDC_ISSUER !== undefined && OIDC_CLIENT_ID !== undefined && OIDC_CLIENT_SECRET !== undefined) {
    const client = { clientId: OIDC_CLIENT_ID, clientSecret: OIDC_CLIENT_SECRET };
    const name = config.OIDC_NAME ?? PROVIDER_NAMES.oidc;
    all.push({ id: 'oidc', name, ...client, ...openIdAt(OIDC_ISSUER, OIDC_CLIENT_ID) });
  }
  if (GOOGLE_CLIENT_ID !== undefined && GOOGLE_CLIENT_SECRET !== undefined) {
    const client = { clientId: GOOGLE_CLIENT_ID, clientSecret: GOOGLE_CLIENT_SECRET };
    all.push({ id: 'google', name: PROVIDER_NAMES.google, ...client, ...googleAt(config.GOOGLE_BASE_URL) });
  }
  if (GITHUB_CLIENT_ID !== undefined && GITHUB_CLIENT_SECRET !== undefined) {
    const client = { clientId: GITHUB_CLIENT_ID, clientSecret: GITHUB_CLIENT_SECRET };
    all.push({ id: 'github', name: PROVIDER_NAMES.github, ...client, ...githubAt(config.GITHUB_BASE_URL) });
  }
  return all;
}

export const findProvider = (config: ProviderConfig, id: SignInProvider): Provider | undefined =>
  providersOf(config).find((provider) => provider.id === id);

/** What people call a provider here. */
export const providerName = (config: ProviderConfig, id: SignInProvider): string =>
  findProvider(config, id)?.name ?? PROVIDER_NAMES[id];

/** better-auth's plugin for them. Where a provider doesn't say who it is, `onFailure` hears why, and the person is sent back to the login page. */
export function providersPlugin(config: ProviderConfig, onFailure: (error: unknown) => void) {
  const providers = providersOf(config).map((provider) => asKnown(provider, onFailure));
  return { id: 'sign-in-providers', init: () => ({ context: { socialProviders: providers } }) };
}

/** A provider as better-auth knows it. */
function asKnown(provider: Provider, onFailure: (error: unknown) => void) {
  const { id, name, clientId, clientSecret, scopes, hasNonce, endpoints, find } = provider;
  const options = { clientId, clientSecret };
  return {
    id,
    name,
    options: {},
    requiresIdTokenNonce: hasNonce ?? false,
    accountSubject: ({ profile }: { profile: object }) => ('id' in profile ? String(profile.id) : ''),
    createAuthorizationURL: async (begun: {
      state: string;
      codeVerifier: string;
      redirectURI: string;
      idTokenNonce?: string | undefined;
    }) => {
      const { idTokenNonce: nonce, state, codeVerifier, redirectURI } = begun;
      const { authorizationUrl: authorizationEndpoint } = await endpoints();
      const request = { id, options, authorizationEndpoint, state, codeVerifier, redirectURI, scopes };
      return createAuthorizationURL({ ...request, ...(nonce === undefined ? {} : { nonce }) });
    },
    validateAuthorizationCode: async (back: {
      code: string;
      redirectURI: string;
      codeVerifier?: string | undefined;
    }) => {
      // A code is only sent to the provider where the sign-in began: another one may have sent the person here with it.
      if ((await getOAuthState())?.provider !== id) throw new Error('the sign-in began at another provider');
      const { tokenUrl: tokenEndpoint, authentication } = await endpoints();
      return validateAuthorizationCode({ ...back, options, tokenEndpoint, authentication });
    },
    getUserInfo: async ({
      expectedIdTokenNonce,
      ...tokens
    }: Tokens & { expectedIdTokenNonce?: string | undefined }) => {
      try {
        const data = await find(tokens, expectedIdTokenNonce);
        const { email, emailVerified, picture } = data;
        // A job fetches and checks the picture: pages never load one from elsewhere.
        const user = { name: data.name, email: email ?? undefined, emailVerified, image: picture ?? undefined };
        return { user, data };
      } catch (error) {
        onFailure(error);
        return null;
      }
    },
  };
}

/** What a provider says of somebody, reduced to what an account has. */
interface ProviderPerson {
  id: string;
  email: string | null;
  emailVerified: boolean;
  name: string;
  picture: string | null;
}

const OPEN_ID = ['openid', 'email', 'profile'];
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
  names.map((name) => shortened(name ?? '')).find((name) => userName.safeParse(name).success) ?? 'Somebody';

const shortened = (name: string) => cleanName(Array.from(cleanName(name)).slice(0, USER_NAME_MAX).join(''));

const beforeAt = (email: string | null | undefined) => email?.split('@')[0];

const githubPerson = z.object({
  id: z.number().int(),
  login: z.string(),
  name: z.string().nullish(),
  avatar_url: z.url().nullish().catch(null),
});
const githubEmails = z.array(z.object({ email: z.string(), primary: z.boolean(), verified: z.boolean() }));

/** GitHub’s addresses, or those of a stand-in, and how to find who signed in. */
function githubAt(base: string | undefined) {
  const site = base === undefined ? 'https://github.com' : new URL(base).origin;
  const api = base === undefined ? 'https://api.github.com' : `${site}/api/v3`;
  const endpoints = async (): Promise<Endpoints> => ({
    authorizationUrl: `${site}/login/oauth/authorize`,
    tokenUrl: `${site}/login/oauth/access_token`,
    authentication: 'post',
  });
  const find = async ({ accessToken: token = '' }: Tokens): Promise<ProviderPerson> => {
    const { id, name, login, avatar_url: picture = null } = await ask(githubPerson, `${api}/user`, token);
    const emails = await ask(githubEmails, `${api}/user/emails`, token);
    const { email = null, verified: emailVerified = false } = emails.find(({ primary }) => primary) ?? {};
    return { id: String(id), email, emailVerified, name: nameOf(name, login), picture };
  };
  return { scopes: ['read:user', 'user:email'], endpoints, find };
}

const googlePerson = z.object({
  sub: z.string().min(1),
  email: z.string().nullish(),
  email_verified: z.boolean().nullish(),
  name: z.string().nullish(),
  picture: z.url().nullish().catch(null),
});

/** Google’s addresses, or those of a stand-in, and how to find who signed in. */
function googleAt(base: string | undefined) {
  const at = (google: string, path: string) => (base === undefined ? google : new URL(base).origin) + path;
  const endpoints = async (): Promise<Endpoints> => ({
    authorizationUrl: at('https://accounts.google.com', '/o/oauth2/v2/auth'),
    tokenUrl: at('https://oauth2.googleapis.com', '/token'),
    authentication: 'post',
    issuer: { name: at('https://accounts.google.com', ''), isAlwaysNamed: false },
  });
  const find = async ({ accessToken = '' }: Tokens): Promise<ProviderPerson> => {
    const person = await ask(googlePerson, at('https://openidconnect.googleapis.com', '/v1/userinfo'), accessToken);
    const { sub: id, email = null, picture = null } = person;
    const emailVerified = person.email_verified === true;
    return { id, email, emailVerified, name: nameOf(person.name, beforeAt(email)), picture };
  };
  return { scopes: OPEN_ID, endpoints, find };
}

/** Any OpenID provider, by what it says of itself. */
function openIdAt(issuer: string, clientId: string) {
  const endpoints = async (): Promise<Endpoints> => {
    const provider = await discover(issuer);
    return {
      authorizationUrl: provider.authorization_endpoint,
      tokenUrl: provider.token_endpoint,
      authentication: provider.token_endpoint_auth_methods_supported.includes('client_secret_post') ? 'post' : 'basic',
      issuer: { name: provider.issuer, isAlwaysNamed: provider.authorization_response_iss_parameter_supported },
    };
  };
  const find = async ({ accessToken = '', idToken }: Tokens, nonce: string | undefined): Promise<ProviderPerson> => {
    const provider = await discover(issuer);
    const person = await readClaims(provider, {
      idToken,
      nonce,
      clientId,
      askUserInfo: (schema, url) => ask(schema, url, accessToken),
    });
    // Another provider may give the same id to somebody else: the account here stays with this one.
    const id = `${provider.issuer} ${person.sub}`;
    const { email = null, picture = null } = person;
    const name = nameOf(person.name, person.preferred_username, beforeAt(email));
    return { id, email, emailVerified: isVerified(person), name, picture };
  };
  return { scopes: OPEN_ID, hasNonce: true as const, endpoints, find };
}
