import type { ServerResponse } from 'node:http';
import { browserCookies } from '../cookie-jar.ts';
import { serveProvider } from '../sign-in-providers.ts';
import { startMcpServer } from './http-server.ts';

/** An authorization server by a kept library, and a server of tools that accepts its tokens, each on loopback. */
export async function startOAuth(
  tools: object[],
  options: { registers?: boolean; describes?: boolean; back?: string } = {},
) {
  const { registers = true, describes = true, back = 'http://localhost/api/mcp-servers/signed-in' } = options;
  /** Every body and header that reached the authorization server. */
  const asked: string[] = [];
  /** Access tokens that the server of tools takes for ended. */
  const ended = new Set<string>();
  const seen = new Set<string>();
  let accepts = true;
  const server = await startMcpServer(tools, 0, (request, response) => {
    if (request.url?.startsWith('/.well-known/oauth-protected-resource')) {
      response.writeHead(describes ? 200 : 404, { 'content-type': 'application/json' });
      response.end(
        JSON.stringify({ resource: server.url, authorization_servers: [issuer], scopes_supported: ['tools'] }),
      );
      return true;
    }
    if (request.url?.startsWith('/.well-known/')) return response.writeHead(404).end() !== undefined;
    if (request.method !== 'POST') return false;
    const [, token = ''] = (request.headers.authorization ?? '').split(' ');
    if (token !== '') seen.add(token);
    if (accepts && valid.has(token) && !ended.has(token)) return false;
    const metadata = `${new URL(server.url).origin}/.well-known/oauth-protected-resource/mcp`;
    const challenge = describes ? `Bearer resource_metadata="${metadata}"` : 'Bearer';
    return response.writeHead(401, { 'www-authenticate': challenge }).end() !== undefined;
  });

  const configuration = {
    clients: [
      {
        client_id: 'given',
        client_secret: 'secret-of-the-given-client',
        redirect_uris: [back],
        grant_types: ['authorization_code', 'refresh_token'],
      },
    ],
    features: {
      devInteractions: { enabled: true },
      registration: { enabled: registers },
      resourceIndicators: {
        enabled: true,
        defaultResource: () => server.url,
        useGrantedResource: () => true,
        getResourceServerInfo: (_context: unknown, resource: string) => {
          if (resource !== server.url) throw new Error(`unknown resource ${resource}`);
          return { scope: 'tools', audience: resource, accessTokenFormat: 'opaque' };
        },
      },
    },
    scopes: ['openid', 'offline_access', 'tools'],
    issueRefreshToken: () => true,
    rotateRefreshToken: true,
  };
  const valid = new Set<string>();
  const {
    provider,
    origin: issuer,
    close: closeIssuer,
  } = await serveProvider(configuration, async (request, response) => {
    asked.push(`${request.method} ${request.url}`);
    if (request.url === '/token') await beforeToken(response);
  });
  provider.on('access_token.saved', ({ jti }) => valid.add(jti));
  let beforeToken: (response: ServerResponse) => Promise<unknown> = () => Promise.resolve();

  return {
    issuer,
    url: server.url,
    called: server.called,
    answers: server.answers,
    asked,
    /** All access tokens that were ever given out. */
    valid,
    /** What happens before a token is given out, or instead of it. */
    beforeToken: (happens: typeof beforeToken) => (beforeToken = happens),
    /** The server of tools takes no token that was given out so far. */
    endTokens: () => valid.forEach((token) => ended.add(token)),
    /** The server of tools takes no token at all. */
    refuseAll: () => (accepts = false),
    close: async () => {
      await server.close();
      await closeIssuer();
    },
  };
}

/** What a person does in a browser: signs in, agrees, and is sent back. Returns the address that they are sent back to. */
export async function signInAt(address: string, back: string, login = 'ada'): Promise<string> {
  const cookies = browserCookies();
  let url = address;
  let init: RequestInit = {};
  for (let step = 0; step < 20; step += 1) {
    const headers = { ...init.headers, cookie: cookies.header() };
    const response = await fetch(url, { ...init, redirect: 'manual', headers });
    cookies.keep(response.headers);
    init = {};
    const location = response.headers.get('location');
    if (location !== null) {
      url = new URL(location, url).href;
      if (url.startsWith(back)) return url;
      continue;
    }
    const page = await response.text();
    const prompt = /name="prompt" value="(?<prompt>\w+)"/.exec(page)?.groups?.prompt;
    const action = /<form[^>]* action="(?<action>[^"]+)"/.exec(page)?.groups?.action;
    if (prompt === undefined || action === undefined) throw new Error(`nothing to fill in: ${response.status} ${page}`);
    url = new URL(action, url).href;
    const body = new URLSearchParams({ prompt, login, password: 'x' }).toString();
    init = { method: 'POST', body, headers: { 'content-type': 'application/x-www-form-urlencoded' } };
  }
  throw new Error('the sign-in never came to an end');
}
