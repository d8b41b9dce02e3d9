import {
  exchangeAuthorization,
  refreshAuthorization,
  registerClient,
  startAuthorization,
} from '@modelcontextprotocol/sdk/client/auth.js';
import {
  InvalidClientError,
  InvalidGrantError,
  UnauthorizedClientError,
} from '@modelcontextprotocol/sdk/server/auth/errors.js';
import type { OAuthClientInformationMixed, OAuthTokens } from '@modelcontextprotocol/sdk/shared/auth.js';
import {
  type AuthorizationServer,
  checkAnswer,
  findAuthorizationServer,
  type SignInServer,
} from './authorization-server.ts';
import { McpUnreachable } from './mcp-connection.ts';

/** What is kept of a sign-in at a server, as JSON: all of it is secret. */
interface StoredSignIn {
  client: OAuthClientInformationMixed;
  tokens?: OAuthTokens;
  discovery: AuthorizationServer;
  verifier?: string;
  redirectUrl: string;
}

/** Where a client came from that the person registered by hand. */
export interface RegisteredClient {
  id: string;
  secret?: string | undefined;
}

const read = (stored: string): StoredSignIn => JSON.parse(stored);

/** The access token of a sign-in, if it has one. */
export const accessTokenOf = (stored: string): string | undefined => read(stored).tokens?.access_token;

/** Every text in a sign-in that must never be shown. */
export function secretsOf(stored: string): string[] {
  const { client, tokens, verifier } = read(stored);
  const all = [client.client_secret, tokens?.access_token, tokens?.refresh_token, tokens?.id_token, verifier];
  return all.filter((secret) => secret !== undefined);
}

/**
 * Finds the server's authorization server, registers there unless a client was given, and returns the address where the person signs in.
 * Throws McpUnreachable with a sentence.
 */
export async function beginSignIn(
  server: SignInServer,
  request: { redirectUrl: string; state: string; client: RegisteredClient | undefined },
): Promise<{ address: string; signIn: string }> {
  const { redirectUrl, state } = request;
  const { authorization: discovery, scope } = await findAuthorizationServer(server).catch(explain);
  const client =
    request.client === undefined
      ? await register(server, { discovery, scope, redirectUrl })
      : { client_id: request.client.id, client_secret: request.client.secret };
  const { authorizationUrl, codeVerifier } = await startAuthorization(discovery.authorizationServerUrl, {
    ...asksAt({ client, discovery }),
    redirectUrl,
    scope,
    state,
  }).catch(explain);
  const signIn: StoredSignIn = { client, discovery, verifier: codeVerifier, redirectUrl };
  return { address: authorizationUrl.href, signIn: JSON.stringify(signIn) };
}

/** What a sign-in service sent the person back with; `iss` is who it says it is. */
export interface SignInAnswer {
  code: string;
  iss: string | undefined;
}

/** Exchanges the code that the person came back with; throws McpUnreachable. */
export async function finishSignIn(
  { fetchFrom }: SignInServer,
  keptJson: string,
  { code, iss }: SignInAnswer,
): Promise<string> {
  const { verifier = '', ...signIn } = read(keptJson);
  checkAnswer(signIn.discovery, iss);
  const tokens = await exchangeAuthorization(signIn.discovery.authorizationServerUrl, {
    ...asksAt(signIn),
    authorizationCode: code,
    codeVerifier: verifier,
    redirectUri: signIn.redirectUrl,
    fetchFn: fetchFrom,
  }).catch(explain);
  return JSON.stringify({ ...signIn, tokens });
}

/** The service itself says that the person has to sign in again; other failures may pass. */
const ENDED = [InvalidGrantError, InvalidClientError, UnauthorizedClientError];

/** New tokens for an ended access token; null when there are none, and the person has to sign in again. Throws McpUnreachable. */
export async function renewSignIn({ fetchFrom }: SignInServer, keptJson: string): Promise<string | null> {
  const signIn = read(keptJson);
  if (signIn.tokens?.refresh_token === undefined) return null;
  const tokens = await refreshAuthorization(signIn.discovery.authorizationServerUrl, {
    ...asksAt(signIn),
    refreshToken: signIn.tokens.refresh_token,
    // The library reads why it was refused only from a response of the platform's own class.
    fetchFn: async (url, init) => {
      const { body, status, headers } = await fetchFrom(url, init);
      return new Response(body, { status, headers: [...headers] });
    },
  }).catch((error: unknown) => {
    if (ENDED.some((kind) => error instanceof kind)) return null;
    throw new McpUnreachable('unreachable', NOT_RENEWED);
  });
  return tokens === null ? null : JSON.stringify({ ...signIn, tokens });
}

const NOT_RENEWED = 'Your sign-in at this server could not be renewed. Try again later, or sign in again.';

/** As whom, and for which server of tools, the service is asked. */
const asksAt = ({ client, discovery }: Pick<StoredSignIn, 'client' | 'discovery'>) => ({
  clientInformation: client,
  metadata: discovery.authorizationServerMetadata,
  resource: discovery.resourceMetadata?.resource,
});

/** Registers this installation; a service may refuse that in many ways, which all need the person. */
async function register(
  { fetchFrom }: SignInServer,
  { discovery, scope, redirectUrl }: Pick<StoredSignIn, 'discovery' | 'redirectUrl'> & { scope: string | undefined },
): Promise<OAuthClientInformationMixed> {
  const { authorizationServerUrl, authorizationServerMetadata: metadata } = discovery;
  const clientMetadata = {
    client_name: 'Atelier',
    redirect_uris: [redirectUrl],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
  };
  return registerClient(authorizationServerUrl, { metadata, clientMetadata, scope, fetchFn: fetchFrom }).catch(() => {
    throw new McpUnreachable(
      'sign_in',
      `The server’s sign-in service, ${new URL(authorizationServerUrl).host}, registers no new programs by itself. Register this installation there, and enter the client ID that you get.`,
    );
  });
}

/** Never with the service's own words: they may contain what was sent. */
function explain(error: unknown): never {
  if (error instanceof McpUnreachable) throw error;
  throw new McpUnreachable(
    'sign_in',
    'The sign-in at this server did not work. Try again; if it offers none, give it a token instead.',
  );
}
