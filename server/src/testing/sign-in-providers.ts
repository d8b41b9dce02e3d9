import { createHash, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
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
  const answer = new Provider(origin + path, { ...always, ...configuration }).callback();
  http.on('request', async (request, response) => {
    // A full browser asks for the icon of the pages that people see here.
    if (request.url === '/favicon.ico') return response.writeHead(204).end();
    await before(request, response);
    if (path !== '') {
      if (request.url?.startsWith(`${path}/`) !== true) return response.writeHead(404).end();
      // As a router that mounts it says so.
      Object.assign(request, { originalUrl: request.url, baseUrl: path, url: request.url.slice(path.length) });
    }
    return answer(request, response);
  });
  return { origin, close };
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
  const codes = new Map<string, { challenge: string | null; person: GithubPerson }>();
  const tokens = new Map<string, GithubPerson>();
  let person: GithubPerson | null = null;
  const isRight = (body: URLSearchParams) => {
    const code = codes.get(body.get('code') ?? '');
    codes.delete(body.get('code') ?? '');
    const verifier = createHash('sha256')
      .update(body.get('code_verifier') ?? '')
      .digest('base64url');
    const isOurs = body.get('client_id') === CLIENT.id && body.get('client_secret') === CLIENT.secret;
    return isOurs && code !== undefined && (code.challenge === null || code.challenge === verifier) ? code : null;
  };
  const exchange = async (request: IncomingMessage): Promise<Record<string, string>> => {
    const code = isRight(new URLSearchParams(await text(request)));
    if (code === null)
      return { error: 'bad_verification_code', error_description: 'The code passed is incorrect or expired.' };
    const token = `gho_${randomUUID()}`;
    tokens.set(token, code.person);
    return { access_token: token, token_type: 'bearer', scope: 'read:user,user:email' };
  };
  const http = createServer(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://github');
    const json = (body: unknown, status = 200) =>
      response.writeHead(status, { 'content-type': 'application/json; charset=utf-8' }).end(JSON.stringify(body));
    if (pathname === '/login/oauth/authorize') {
      const to = new URL(searchParams.get('redirect_uri') ?? '');
      if (to.href !== back || searchParams.get('client_id') !== CLIENT.id) return json({ message: 'Not Found' }, 404);
      to.searchParams.set('state', searchParams.get('state') ?? '');
      if (person === null) to.searchParams.set('error', 'access_denied');
      else {
        const code = randomUUID();
        codes.set(code, { challenge: searchParams.get('code_challenge'), person });
        to.searchParams.set('code', code);
      }
      return response.writeHead(302, { location: to.href }).end();
    }
    if (pathname === '/login/oauth/access_token') {
      const answer = await exchange(request);
      if (request.headers.accept?.includes('json')) return json(answer);
      return response.end(new URLSearchParams(answer).toString());
    }
    const owner = tokens.get(request.headers.authorization?.split(' ')[1] ?? '');
    if (request.headers['user-agent'] === undefined)
      return json({ message: 'Request forbidden by administrative rules.' }, 403);
    if (owner === undefined) return json({ message: 'Bad credentials' }, 401);
    const { emails, ...profile } = owner;
    if (pathname === '/api/v3/user') return json({ ...profile, email: null });
    if (pathname === '/api/v3/user/emails') return json(emails);
    return json({ message: 'Not Found' }, 404);
  });
  const { origin: url, close } = await listen(http);
  const env = { GITHUB_CLIENT_ID: CLIENT.id, GITHUB_CLIENT_SECRET: CLIENT.secret, GITHUB_BASE_URL: url };
  /** Who is logged in there; null refuses. */
  return { url, env, close, become: (next: GithubPerson | null) => (person = next) };
}
