import type { Calls } from '@atelier/contract/calls';
import type { Context, MiddlewareHandler } from 'hono';
import { z } from 'zod';
import { createClientAddress } from '../../platform/client-address.ts';
import type { Deps } from '../../platform/deps.ts';
import { AppError } from '../../platform/errors.ts';
import { UNSTORABLE, unstorableField } from '../../platform/http/storable.ts';
import { inSeconds } from '../../platform/language/in-seconds.ts';
import { outageOf } from '../../platform/outage.ts';
import { parsedJson } from '../../platform/parsed-json.ts';
import { type Secrets, secretsOf } from '../../platform/secrets.ts';
import { type Handlers, serve } from '../../serve.ts';
import { ADDRESS_HEADER, type Auth } from './accounts.auth.ts';
import type { Refusal } from './accounts.credentials.ts';
import { deleteSessions } from './accounts.service.ts';
import { callerOfCall, loggedFailures, newSessionIds } from './auth/call-notes.ts';
import { signAfresh } from './auth/signed-cookies.ts';

/** What the provider is called with, where it differs from the caller's call. */
interface As {
  path?: string | undefined;
  search?: string;
  method?: string;
}

/** How the routes reach the identity provider, and where a request comes from. */
export interface Identity {
  addressOf: (c: Context) => string;
  /**
   * Passes a call on, with a body that we have checked, without what its address asks unless given. Throws when its database is away.
   */
  forward: (c: Context, body?: unknown, as?: As) => Promise<Response>;
  /** The same for a signed-in caller whose session stays as it is, although the provider would replace it. */
  forwardKeeping: (c: Context, body: unknown, path?: string) => Promise<Response>;
}

export function createIdentity(deps: Deps, auth: Pick<Auth, 'handler'>): Identity {
  const addressOf = createClientAddress(deps.config.TRUSTED_PROXIES);
  const forward: Identity['forward'] = async (c, body, as = {}) => {
    const failures: unknown[] = [];
    const request = inner(c, { address: addressOf(c), secrets: secretsOf(deps.config), body, ...as });
    const handle = () => loggedFailures.run(failures, () => auth.handler(request));
    const response = await callerOfCall.run(c.get('findCaller'), handle);
    // Sign-out, for example, answers success although the session still exists.
    const outage = failures.find((failure) => outageOf(failure) !== null);
    if (outage !== undefined) throw outage;
    return complete(response);
  };
  const forwardKeeping: Identity['forwardKeeping'] = async (c, body, path) => {
    const created: string[] = [];
    const response = await newSessionIds.run(created, () => forward(c, body, { path }));
    await deleteSessions(deps, created);
    const headers = new Headers(response.headers);
    headers.delete('set-cookie');
    return new Response(response.body, { status: response.status, headers });
  };
  return { addressOf, forward, forwardKeeping };
}

/** Serves calls under /api/auth: a body that is not valid is refused in better-auth’s own shape. */
export const serveIdentity = <Some extends Calls>(all: Some, handlers: Handlers<Some>) =>
  serve(all, handlers, {}, takesBody);

const takesBody =
  (schema: z.ZodType): MiddlewareHandler =>
  async (c, next) => {
    const invalid = (message: string, field?: string) =>
      refuse(c, 400, { code: 'VALIDATION_ERROR', message, ...(field ? { field } : {}) });
    let json: unknown;
    try {
      json = await c.req.json();
    } catch (error) {
      if (error instanceof AppError) throw error;
      return invalid('The body is not valid JSON.');
    }
    const unstorable = unstorableField(json);
    if (unstorable !== null) return invalid(UNSTORABLE, unstorable);
    const parsed = schema.safeParse(json);
    if (!parsed.success) {
      const issue = parsed.error.issues[0];
      return invalid(issue?.path.length ? issue.message : 'The body must be a JSON object.', issue?.path.join('.'));
    }
    c.req.addValidatedData('json', parsed.data as object);
    return next();
  };

/** The request for better-auth: our parsed body, and the address that we know. */
function inner(
  c: Context,
  {
    address,
    secrets,
    body,
    path,
    search = '',
    method = c.req.method,
  }: { address: string; secrets: Secrets; body: unknown } & As,
): Request {
  const headers = new Headers(c.req.raw.headers);
  for (const name of ['content-length', 'content-type', 'transfer-encoding']) headers.delete(name);
  headers.set(ADDRESS_HEADER, address);
  const cookies = headers.get('cookie');
  if (cookies !== null) headers.set('cookie', signAfresh(secrets, cookies));
  const url = new URL(c.req.url);
  url.search = search;
  url.pathname = path ?? url.pathname;
  if (body === undefined) return new Request(url, { method, headers });
  headers.set('content-type', 'application/json');
  return new Request(url, { method, headers, body: JSON.stringify(body) });
}

/** What better-auth answers 500 to, although the passkey in the request is at fault. */
const BAD_PASSKEY = ['FAILED_TO_VERIFY_REGISTRATION', 'AUTHENTICATION_FAILED'];
/** How long better-auth locks a second factor after too many wrong codes; its answer doesn't say it. */
const LOCKED_SECONDS = 15 * 60;
/** What we look at in better-auth's answers. */
const answered = z.looseObject({
  code: z.string().optional(),
  token: z.string().nullish(),
  session: z.looseObject({ id: z.string(), token: z.string() }).nullish(),
});

/** better-auth's answer without the session's token, with the standard header on 429; server errors become our one error body. */
async function complete(response: Response): Promise<Response> {
  const { data } = answered.safeParse(parsedJson(await response.clone().text()));
  if (response.status >= 400 && BAD_PASSKEY.includes(data?.code ?? '')) {
    const message = 'The passkey could not be checked. Please try again.';
    return Response.json({ code: data?.code, message }, { status: response.status >= 500 ? 400 : response.status });
  }
  if (response.status >= 500) throw new Error(`the identity provider answered ${response.status}`);
  if (response.status === 429) {
    const isLocked = data?.code === 'ACCOUNT_TEMPORARILY_LOCKED';
    return tooMany(Number(response.headers.get('x-retry-after') ?? (isLocked ? LOCKED_SECONDS : 60)));
  }
  return data?.token || data?.session ? withoutToken(response, data) : response;
}

/** The session's token is for the cookie alone, which no page reads; a session is named by its id. */
function withoutToken(response: Response, { session, ...rest }: z.infer<typeof answered>): Response {
  const shown = {
    ...rest,
    ...(rest.token === undefined ? {} : { token: null }),
    ...(session ? { session: { ...session, token: session.id } } : {}),
  };
  return new Response(JSON.stringify(shown), response);
}

/** 429 in better-auth’s own shape, with the seconds to wait. */
export function tooMany(seconds: number): Response {
  const wait = seconds > 90 ? `${Math.ceil(seconds / 60)} minutes` : inSeconds(seconds);
  return Response.json(
    { code: 'TOO_MANY_REQUESTS', message: `Too many attempts. Please try again in ${wait}.` },
    { status: 429, headers: { 'Retry-After': String(seconds), 'X-Retry-After': String(seconds) } },
  );
}

/** A refusal in better-auth’s own shape. */
export const refuse = (c: Context, status: 400 | 403 | 422, refusal: Refusal) => c.json(refusal, status);
