import {
  buildDiscoveryUrls,
  discoverOAuthProtectedResourceMetadata,
  extractWWWAuthenticateParams,
  type OAuthDiscoveryState,
} from '@modelcontextprotocol/sdk/client/auth.js';
import { type AuthorizationServerMetadata, OAuthMetadataSchema } from '@modelcontextprotocol/sdk/shared/auth.js';
import { checkResourceAllowed } from '@modelcontextprotocol/sdk/shared/auth-utils.js';
import { fetchWithinOrigin } from '@modelcontextprotocol/sdk/shared/transport.js';
import { LATEST_PROTOCOL_VERSION } from '@modelcontextprotocol/sdk/types.js';
import { LOOPBACK } from '../../config.ts';
import type { Fetch } from './http-transport.ts';
import { McpUnreachable } from './mcp-connection.ts';

export interface SignInServer {
  url: string;
  /** A fetch that decides what may be reached. */
  fetchFrom: Fetch;
}

/** Where people sign in for a server of tools, kept as it was checked: later steps use these addresses and no others. */
export type AuthorizationServer = OAuthDiscoveryState;

/**
 * Finds where people sign in for a server, and which scope it wants. The server chooses the addresses, so it could name the sign-in page of
 * an honest service and get what the person permits there: throws McpUnreachable unless they belong together.
 */
export async function findAuthorizationServer({ url, fetchFrom }: SignInServer) {
  const { resourceMetadataUrl, scope } = await readChallenge({ url, fetchFrom });
  const resourceMetadata = await discoverOAuthProtectedResourceMetadata(
    url,
    { resourceMetadataUrl: resourceMetadataUrl && isSecure(resourceMetadataUrl) ? resourceMetadataUrl : undefined },
    fetchFrom,
  ).catch(() => undefined);
  if (
    resourceMetadata !== undefined &&
    !checkResourceAllowed({ requestedResource: url, configuredResource: resourceMetadata.resource })
  ) {
    throw new McpUnreachable('sign_in', 'The server’s sign-in is meant for another address. Check the address.');
  }
  const authorizationServerUrl = resourceMetadata?.authorization_servers?.[0] ?? new URL('/', url).href;
  checkSecure([authorizationServerUrl]);
  const authorizationServerMetadata = await readMetadata(authorizationServerUrl, fetchFrom);
  if (authorizationServerMetadata !== undefined) checkEndpoints(authorizationServerUrl, authorizationServerMetadata);
  const authorization: AuthorizationServer = { authorizationServerUrl, authorizationServerMetadata, resourceMetadata };
  return { authorization, scope: scope ?? resourceMetadata?.scopes_supported?.join(' ') };
}

/** Throws McpUnreachable unless the person was sent back by the service that was asked, as far as it says who it is (RFC 9207). */
export function checkAnswer(
  { authorizationServerUrl, authorizationServerMetadata }: AuthorizationServer,
  iss: string | undefined,
): void {
  const issuer = authorizationServerMetadata?.issuer ?? authorizationServerUrl;
  if (iss === undefined && authorizationServerMetadata !== undefined && saysWho(authorizationServerMetadata)) {
    throw refusal('The sign-in service didn’t say who it is, though it promised to, so its answer was not used.');
  }
  if (iss === undefined || isSameIssuer(iss, issuer)) return;
  throw refusal(
    'You were signed in at another service than the one that this server named, so the answer was not used. The server may be trying to get your access there: remove it, and withdraw the permission that you gave.',
  );
}

/** A server's refusal may say where its metadata is, and what to ask for. */
async function readChallenge({ url, fetchFrom }: SignInServer): Promise<{ resourceMetadataUrl?: URL; scope?: string }> {
  try {
    const response = await fetchWithinOrigin(fetchFrom)(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' }),
      signal: AbortSignal.timeout(10_000),
    });
    await response.body?.cancel();
    return extractWWWAuthenticateParams(response);
  } catch {
    return {};
  }
}

/**
 * What the service says of itself, at the first place where it is that service that speaks (RFC 8414 §3.3); undefined when there is
 * nothing. The SDK's own reader compares no issuer, and drops from OpenID metadata whether answers say who sent them.
 */
async function readMetadata(issuer: string, fetchFrom: Fetch) {
  let isOfAnother = false;
  for (const { url } of buildDiscoveryUrls(issuer)) {
    const headers = { accept: 'application/json', 'mcp-protocol-version': LATEST_PROTOCOL_VERSION };
    const response = await fetchWithinOrigin(fetchFrom)(url, { headers });
    if (!response.ok) {
      await response.body?.cancel();
      if (response.status >= 500) throw new Error(`status ${response.status}`);
      continue;
    }
    const metadata = OAuthMetadataSchema.parse(await response.json());
    if (isSameIssuer(metadata.issuer, issuer)) return metadata;
    isOfAnother = true;
  }
  if (!isOfAnother) return undefined;
  throw refusal(
    'The server’s sign-in service calls itself by another address than its own, so it can’t be told from an impostor. Ask the person who runs it.',
  );
}

/** Throws unless all addresses are at the issuer's host, or answers of the service will say who sent them. */
function checkEndpoints(issuer: string, metadata: AuthorizationServerMetadata): void {
  const { authorization_endpoint, token_endpoint, registration_endpoint } = metadata;
  const all = [authorization_endpoint, token_endpoint, registration_endpoint].filter((each) => each !== undefined);
  checkSecure(all);
  const { host } = new URL(issuer);
  const [elsewhere] = all.map((each) => new URL(each)).filter((each) => each.host !== host);
  // Parameters such as `request_uri` could make another service send the person back with an `iss` of the server's choice.
  const { host: opened, search } = new URL(authorization_endpoint);
  const isSteered = opened !== host && search !== '';
  if (elsewhere === undefined || (saysWho(metadata) && !isSteered)) return;
  throw refusal(
    `The server’s sign-in uses ${host} and ${elsewhere.host}, and nothing shows that they belong together. The server could get what you permit elsewhere, so the sign-in was stopped.`,
  );
}

const saysWho = (metadata: AuthorizationServerMetadata) =>
  'authorization_response_iss_parameter_supported' in metadata &&
  metadata.authorization_response_iss_parameter_supported === true;

/** Whether two issuers are one; a slash at the end makes no difference, because both have their metadata at one place. */
function isSameIssuer(one: string, other: string): boolean {
  const [a, b] = [one, other].map((issuer) => URL.parse(issuer)?.href.replace(/\/$/, ''));
  return a !== undefined && a === b;
}

/** Whether nobody can listen on the way. */
const isSecure = ({ protocol, hostname }: URL) =>
  protocol === 'https:' || (protocol === 'http:' && LOOPBACK.has(hostname));

function checkSecure(addresses: string[]): void {
  if (addresses.every((address) => isSecure(new URL(address)))) return;
  throw refusal(
    'The server’s sign-in uses an address without https, where others could read along, so it was stopped.',
  );
}

/** Its kind isn't `sign_in`: a client ID or another try would not help. */
const refusal = (sentence: string) => new McpUnreachable('refused', sentence);
