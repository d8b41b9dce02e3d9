import { getRequestListener } from '@hono/node-server';
import { Hono } from 'hono';
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

  const pages = new Hono()
    .use(async (c, next) => {
      const page = service.pages.get(c.req.path);
      if (page === undefined) return next();
      return typeof page === 'string' ? c.redirect(page, 307) : c.json(page);
    })
    .post('/register', async (c) => c.json(await service.register(await c.req.json()), 201))
    .post('/token', async (c) => {
      const asked = new URLSearchParams(await c.req.text());
      service.redeemed.push(asked);
      return c.json(await service.redeem(asked));
    })
    .get('/authorize', (c) => {
      const back = new URL(c.req.query('redirect_uri') ?? '');
      back.searchParams.set('code', 'a-code');
      back.searchParams.set('state', c.req.query('state') ?? '');
      if (service.iss !== undefined) back.searchParams.set('iss', service.iss);
      return c.redirect(back.href);
    });
  const answer = getRequestListener(pages.fetch);
  const server = await startMcpServer(tools, 0, (request, response) => {
    if (request.url?.split('?')[0] !== '/mcp') {
      void answer(request, response);
      return true;
    }
    if (request.headers.authorization === `Bearer ${TOKEN}`) return false;
    return response.writeHead(401, { 'www-authenticate': 'Bearer scope="tools"' }).end() !== undefined;
  });
  return Object.assign(service, { url: server.url, origin: new URL(server.url).origin, close: server.close });
}

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
