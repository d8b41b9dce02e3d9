import type { IncomingMessage, ServerResponse } from 'node:http';
import { json, text } from 'node:stream/consumers';
import { startMcpServer } from './http-server.ts';

const TOKEN = 'a-token-of-the-plain-service';

/**
 * A server of tools and its sign-in service on loopback, which permits everything and says of itself what a test wants. Evil ones need it:
 * a kept library describes itself correctly.
 */
export async function startSignInService(tools: object[]) {
  const service = {
    /** What is at a path: an answer as JSON, or the address that it redirects to. */
    pages: new Map<string, object | string>(),
    /** The `iss` of its answers. */
    iss: undefined as string | undefined,
    /** Every token request. */
    redeemed: [] as URLSearchParams[],
    register: async (asked: object): Promise<object> => ({ ...asked, client_id: 'known-here' }),
    redeem: async (_asked: URLSearchParams): Promise<object> => ({ access_token: TOKEN, token_type: 'Bearer' }),
  };

  async function answer(request: IncomingMessage, response: ServerResponse, url: URL) {
    const page = service.pages.get(url.pathname);
    if (typeof page === 'string') return response.writeHead(302, { location: page }).end();
    if (page !== undefined) return send(response, page);
    if (url.pathname === '/register')
      return send(response, await service.register((await json(request)) as object), 201);
    if (url.pathname === '/token') {
      const asked = new URLSearchParams(await text(request));
      service.redeemed.push(asked);
      return send(response, await service.redeem(asked));
    }
    if (url.pathname !== '/authorize') return response.writeHead(404).end();
    const back = new URL(url.searchParams.get('redirect_uri') ?? '');
    back.searchParams.set('code', 'a-code');
    back.searchParams.set('state', url.searchParams.get('state') ?? '');
    if (service.iss !== undefined) back.searchParams.set('iss', service.iss);
    return response.writeHead(302, { location: back.href }).end();
  }

  const server = await startMcpServer(tools, 0, (request, response) => {
    const url = new URL(request.url ?? '', 'http://127.0.0.1');
    if (url.pathname !== '/mcp') {
      void answer(request, response, url);
      return true;
    }
    if (request.headers.authorization === `Bearer ${TOKEN}`) return false;
    return response.writeHead(401, { 'www-authenticate': 'Bearer scope="tools"' }).end() !== undefined;
  });
  return Object.assign(service, { url: server.url, origin: new URL(server.url).origin, close: server.close });
}

const send = (response: ServerResponse, body: object, status = 200) =>
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));

/** Metadata of a sign-in service as RFC 8414 has it, with all addresses at one host. */
export const metadataOf = (issuer: string, changes: Record<string, unknown> = {}) => {
  const { origin } = new URL(issuer);
  return {
    issuer,
    authorization_endpoint: `${origin}/authorize`,
    token_endpoint: `${origin}/token`,
    registration_endpoint: `${origin}/register`,
    response_types_supported: ['code'],
    code_challenge_methods_supported: ['S256'],
    ...changes,
  };
};
