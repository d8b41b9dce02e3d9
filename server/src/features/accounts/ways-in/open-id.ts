import { validateToken } from '@better-auth/core/oauth2';
import { z } from 'zod';
import { isPrivateWay } from '../../../config.ts';

const metadata = z.object({
  issuer: z.string(),
  authorization_endpoint: z.url(),
  token_endpoint: z.url(),
  jwks_uri: z.url(),
  userinfo_endpoint: z.url().optional(),
  token_endpoint_auth_methods_supported: z.array(z.string()).default(['client_secret_basic']),
  authorization_response_iss_parameter_supported: z.boolean().default(false),
});
export type Metadata = z.infer<typeof metadata>;

const PATIENCE_MS = 10_000;
/** As long as a provider's description is taken as it was. */
const KNOWN_FOR_MS = 10 * 60_000;
const cache = new Map<string, { metadata: Metadata; until: number }>();

/** Some write a slash behind their name where they are asked for, or leave it out. */
const plain = (issuer: string) => issuer.replace(/\/$/u, '');

/**
 * What a provider says of itself, asked for when it is needed: one that is away at a start is there as soon as it answers. Throws where it
 * can't be reached, says it is another one, or would have secrets sent unencrypted.
 */
export async function discover(issuer: string): Promise<Metadata> {
  const before = cache.get(issuer);
  if (before !== undefined && before.until > performance.now()) return before.metadata;
  // Behind the whole path of the issuer, which may be one of many on its host.
  const response = await fetch(`${plain(issuer)}/.well-known/openid-configuration`, {
    headers: { accept: 'application/json', 'user-agent': 'atelier' },
    redirect: 'error',
    signal: AbortSignal.timeout(PATIENCE_MS),
  });
  if (!response.ok) throw new Error(`the OpenID provider describes itself with ${response.status}`);
  const provider = metadata.parse(await response.json());
  if (plain(provider.issuer) !== plain(issuer)) throw new Error('the OpenID provider says it is another one');
  const { authorization_endpoint, token_endpoint, jwks_uri, userinfo_endpoint = token_endpoint } = provider;
  if (![authorization_endpoint, token_endpoint, jwks_uri, userinfo_endpoint].every(isPrivateWay))
    throw new Error('the OpenID provider would be asked unencrypted');
  cache.set(issuer, { metadata: provider, until: performance.now() + KNOWN_FOR_MS });
  return provider;
}

const claims = z.looseObject({
  sub: z.string().min(1),
  email: z.string().nullish(),
  // Some write it as a text; only what is plainly true counts.
  email_verified: z.unknown().optional(),
  name: z.string().nullish(),
  preferred_username: z.string().nullish(),
  picture: z.url().nullish().catch(null),
});
export type Claims = z.infer<typeof claims>;

export const isVerified = ({ email_verified: said }: Pick<Claims, 'email_verified'>) =>
  said === true || said === 'true';

/**
 * Who signed in, by the ID token and by what the provider says of the access token's owner. Throws unless the token is signed by the provider,
 * for this client and this sign-in, and both name the same person.
 */
export async function readClaims(
  { issuer, jwks_uri, userinfo_endpoint }: Metadata,
  {
    idToken,
    nonce,
    clientId,
    askUserInfo,
  }: {
    idToken: string | undefined;
    nonce: string | undefined;
    clientId: string;
    askUserInfo: (schema: z.ZodType<Claims>, url: string) => Promise<Claims>;
  },
): Promise<Claims> {
  if (idToken === undefined || nonce === undefined) throw new Error('the OpenID provider gave no ID token');
  const { payload } = await validateToken(idToken, jwks_uri, { issuer, audience: clientId });
  if (payload.nonce !== nonce) throw new Error('the ID token is of another sign-in');
  const signed = claims.parse(payload);
  if (userinfo_endpoint === undefined) return signed;
  const userInfo = await askUserInfo(claims, userinfo_endpoint);
  if (userInfo.sub !== signed.sub) throw new Error('the OpenID provider names two people');
  // An email and whether it is verified are of one answer.
  const { email, email_verified } = userInfo.email ? userInfo : signed;
  return { ...signed, ...userInfo, email, email_verified };
}
