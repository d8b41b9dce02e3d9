import {
  auth,
  extractWWWAuthenticateParams,
  type OAuthClientProvider,
  type OAuthDiscoveryState,
} from '@modelcontextprotocol/sdk/client/auth.js';
import type { OAuthClientInformationMixed, OAuthTokens } from '@modelcontextprotocol/sdk/shared/auth.js';
import type { Fetch } from './http-transport.ts';
import { McpUnreachable } from './mcp-connection.ts';

/** What is kept of a sign-in at a server, as JSON: all of it is secret. */
interface Kept {
  client?: OAuthClientInformationMixed;
  tokens?: OAuthTokens;
  discovery?: OAuthDiscoveryState;
  verifier?: string;
  redirectUrl: string;
}

export interface SignInServer {
  url: string;
  /** A fetch that decides what may be reached. */
  fetchFrom: Fetch;
}

/** Where a client came from that the person registered by hand. */
export interface GivenClient {
  id: string;
  secret?: string | undefined;
}

const read = (kept: string): Kept => JSON.parse(kept);

/** The access token of a sign-in, if it has one. */
export const accessTokenOf = (kept: string): string | undefined => read(kept).tokens?.access_token;

/** Every text in a sign-in that must never be shown. */
export function secretsOf(kept: string): string[] {
  const { client, tokens, verifier } = read(kept);
  const all = [client?.client_secret, tokens?.access_token, tokens?.refresh_token, tokens?.id_token, verifier];
  return all.filter((secret) => secret !== undefined);
}

/**
 * Finds the server's authorization server, registers there unless a client was given, and returns the address where the person signs in.
 * Throws McpUnreachable with a sentence.
 */
export async function beginSignIn(
  server: SignInServer,
  asked: { redirectUrl: string; state: string; client: GivenClient | undefined },
): Promise<{ address: string; kept: string }> {
  const { client, redirectUrl } = asked;
  const kept: Kept = { redirectUrl };
  if (client !== undefined) {
    kept.client = { client_id: client.id, ...(client.secret === undefined ? {} : { client_secret: client.secret }) };
  }
  let address: URL | undefined;
  const provider = providerOf(kept, {
    state: asked.state,
    given: client !== undefined,
    redirect: (url) => {
      address = url;
    },
  });
  const hints = await askWhere(server);
  await auth(provider, { serverUrl: server.url, fetchFn: server.fetchFrom, ...hints }).catch((error: unknown) => {
    throw explain(error);
  });
  if (address === undefined || !/^https?:$/.test(address.protocol)) throw explain(undefined);
  return { address: address.href, kept: JSON.stringify(kept) };
}

/** Exchanges the code that the person came back with; throws McpUnreachable. */
export async function finishSignIn(server: SignInServer, keptJson: string, code: string): Promise<string> {
  const kept = read(keptJson);
  const provider = providerOf(kept, { state: '', given: true, redirect: () => {} });
  await auth(provider, { serverUrl: server.url, fetchFn: server.fetchFrom, authorizationCode: code }).catch(
    (error: unknown) => {
      throw explain(error);
    },
  );
  delete kept.verifier;
  return JSON.stringify(kept);
}

/** New tokens for an ended access token; null when the person has to sign in again. Throws when the service can't be reached. */
export async function renewSignIn(server: SignInServer, keptJson: string): Promise<string | null> {
  const kept = read(keptJson);
  if (kept.tokens?.refresh_token === undefined) return null;
  let mustSignIn = false;
  const provider = providerOf(kept, { state: '', given: true, redirect: () => (mustSignIn = true) });
  await auth(provider, { serverUrl: server.url, fetchFn: server.fetchFrom }).catch(() => (mustSignIn = true));
  return mustSignIn ? null : JSON.stringify(kept);
}

interface Flow {
  state: string;
  /** The client can’t be registered again: the person gave it, or nobody is there to sign in. */
  given: boolean;
  redirect: (url: URL) => void;
}

function providerOf(kept: Kept, flow: Flow): OAuthClientProvider {
  return {
    redirectUrl: kept.redirectUrl,
    clientMetadata: {
      client_name: 'Atelier',
      redirect_uris: [kept.redirectUrl],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    },
    state: () => flow.state,
    clientInformation: () => kept.client,
    // Keeps which authorization server a client belongs to; without a given client, it registers one.
    saveClientInformation: (client) => {
      if (flow.given && client.client_id !== kept.client?.client_id) throw new Error('this client is not known there');
      kept.client = client;
    },
    tokens: () => kept.tokens,
    saveTokens: (tokens) => {
      kept.tokens = tokens;
    },
    redirectToAuthorization: flow.redirect,
    saveCodeVerifier: (verifier) => {
      kept.verifier = verifier;
    },
    codeVerifier: () => kept.verifier ?? '',
    saveDiscoveryState: (discovery) => {
      kept.discovery = discovery;
    },
    discoveryState: () => kept.discovery,
  };
}

/** A server's refusal may say where its metadata is, and what to ask for. */
async function askWhere({ url, fetchFrom }: SignInServer) {
  try {
    const response = await fetchFrom(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' }),
      signal: AbortSignal.timeout(10_000),
    });
    await response.body?.cancel();
    const { resourceMetadataUrl, scope } = extractWWWAuthenticateParams(response);
    return {
      ...(resourceMetadataUrl === undefined ? {} : { resourceMetadataUrl }),
      ...(scope === undefined ? {} : { scope }),
    };
  } catch {
    return {};
  }
}

/** Never with the service's own words: they may contain what was sent. */
function explain(error: unknown): McpUnreachable {
  const message = error instanceof Error ? error.message : '';
  if (message.includes('dynamic client registration') || message.includes('registration failed')) {
    return new McpUnreachable(
      'sign_in',
      'The server’s sign-in service registers no new programs by itself. Register this installation there, and enter the client ID that you get.',
    );
  }
  if (message.includes('resource')) {
    return new McpUnreachable('sign_in', 'The server’s sign-in is meant for another address. Check the address.');
  }
  return new McpUnreachable(
    'sign_in',
    'The sign-in at this server did not work. Try again; if it offers none, give it a token instead.',
  );
}
