import { createHash, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import { Hono } from 'hono';
import Provider from 'oidc-provider';
import { listen } from './listen.ts';

const CLIENT = { id: 'atelier', secret: 'the secret of the client' };

/** What Google says of somebody, by the name with which they log in there. */
export type GooglePeople = Map<string, Record<string, unknown>>;

/** An OpenID provider by a kept library, on loopback, one of several below `path`; `before` each request that it answers. */
export async function serveProvider(
  configuration: Record<string, unknown>,
  before: (request: IncomingMessage, response: ServerResponse) => Promise<unknown> = async () => {},
  path = '',
) {
  const http = createServer();
  const { origin, close } = await listen(http);
  const always = { cookies: { keys: ['for tests only'] }, pkce: { required: () => true } };
  const provider = new Provider(origin + path, { ...always, ...configuration });
  const answer = provider.callback();
  http.on('request', async (request, response) => {
    // A full browser asks for the icon of the pages that people see here.
    if (request.url === '/favicon.ico') return response.writeHead(204).end();
    await before(request, response);
    if (response.writableEnded) return;
    if (path !== '') {
      if (request.url?.startsWith(`${path}/`) !== true) return response.writeHead(404).end();
      // As a router that mounts it says so.
      Object.assign(request, { originalUrl: request.url, baseUrl: path, url: request.url.slice(path.length) });
    }
    return answer(request, response);
  });
  return { provider, origin, close };
}

/** Where people sign in. Who is in `disabled` gets no token. */
async function startSignIn(back: string, more: Record<string, unknown>, path = '') {
  const people: GooglePeople = new Map();
  const disabled = new Set<string>();
  /** The paths that were asked for, also by people. */
  const asked: string[] = [];
  const configuration = {
    clients: [{ client_id: CLIENT.id, client_secret: CLIENT.secret, redirect_uris: [back] }],
    claims: { email: ['email', 'email_verified'], profile: ['name', 'picture'] },
    features: { devInteractions: { enabled: true } },
    findAccount: (_context: unknown, id: string, token: unknown) =>
      token !== undefined && disabled.has(id)
        ? undefined
        : { accountId: id, claims: () => ({ sub: id, ...people.get(id) }) },
    ...more,
  };
  const note = async ({ url = '' }: IncomingMessage) => void asked.push(url.split('?', 1)[0] ?? '');
  return { people, disabled, asked, ...(await serveProvider(configuration, note, path)) };
}

/** An OpenID provider as an organization runs it, one of several on its host. */
export async function startOpenId(back: string, path = '/realms/school') {
  const provider = await startSignIn(back, {}, path);
  const issuer = provider.origin + path;
  const keys = { OIDC_CLIENT_ID: CLIENT.id, OIDC_CLIENT_SECRET: CLIENT.secret };
  return { ...provider, issuer, env: { OIDC_ISSUER: issuer, OIDC_NAME: 'Example School', ...keys } };
}

/** The same under Google's paths. */
export async function startGoogle(back: string) {
  const provider = await startSignIn(back, {
    clientAuthMethods: ['client_secret_post', 'client_secret_basic'],
    clientDefaults: { token_endpoint_auth_method: 'client_secret_post' },
    routes: { authorization: '/o/oauth2/v2/auth', token: '/token', userinfo: '/v1/userinfo' },
  });
  const keys = { GOOGLE_CLIENT_ID: CLIENT.id, GOOGLE_CLIENT_SECRET: CLIENT.secret };
  return { ...provider, url: provider.origin, env: { ...keys, GOOGLE_BASE_URL: provider.origin } };
}

export interface GithubPerson {
  id: number;
  login: string;
  name: string | null;
  avatar_url: string;
  emails: { email: string; primary: boolean; verified: boolean }[];
}

/** A GitHub Enterprise Server as far as its documentation says how people sign in there. */
export async function startGithub(back: string) {
  const codes = new Map<string, { challenge: string | undefined; person: GithubPerson }>();
  const tokens = new Map<string, GithubPerson>();
  let person: GithubPerson | null = null;
  const github = new Hono()
    .get('/login/oauth/authorize', (c) => {
      const { redirect_uri = '', client_id, state = '', code_challenge: challenge } = c.req.query();
      const to = new URL(redirect_uri);
      if (to.href !== back || client_id !== CLIENT.id) return c.json({ message: 'Not Found' }, 404);
      const code = randomUUID();
      if (person !== null) codes.set(code, { challenge, person });
      to.search = String(new URLSearchParams({ state, ...(person === null ? { error: 'access_denied' } : { code }) }));
      return c.redirect(to.href);
    })
    .post('/login/oauth/access_token', async (c) => {
      const asked = new URLSearchParams(await c.req.text());
      const name = asked.get('code') ?? '';
      const code = codes.get(name);
      codes.delete(name);
      const challenge = createHash('sha256').update(asked.get('code_verifier') ?? '');
      const isOurs = asked.get('client_id') === CLIENT.id && asked.get('client_secret') === CLIENT.secret;
      const isRight = isOurs && [undefined, challenge.digest('base64url')].includes(code?.challenge);
      const token = `gho_${randomUUID()}`;
      if (isRight && code !== undefined) tokens.set(token, code.person);
      const answer: Record<string, string> = tokens.has(token)
        ? { access_token: token, token_type: 'bearer', scope: 'read:user,user:email' }
        : { error: 'bad_verification_code', error_description: 'The code passed is incorrect or expired.' };
      return c.req.header('accept')?.includes('json') ? c.json(answer) : c.body(String(new URLSearchParams(answer)));
    })
    .get('/api/v3/*', (c) => {
      const owner = tokens.get(c.req.header('authorization')?.split(' ')[1] ?? '');
      if (c.req.header('user-agent') === undefined)
        return c.json({ message: 'Request forbidden by administrative rules.' }, 403);
      if (owner === undefined) return c.json({ message: 'Bad credentials' }, 401);
      const { emails, ...profile } = owner;
      return c.json(c.req.path === '/api/v3/user/emails' ? emails : { ...profile, email: null });
    });
  const { origin: url, close } = await listen(createServer(getRequestListener(github.fetch)));
  const env = { GITHUB_CLIENT_ID: CLIENT.id, GITHUB_CLIENT_SECRET: CLIENT.secret, GITHUB_BASE_URL: url };
  /** Who is logged in there; null refuses. */
  return { url, env, close, become: (next: GithubPerson | null) => (person = next) };
}
