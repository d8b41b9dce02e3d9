import type { SignInEnd } from '@atelier/contract/accounts';
import type { Context } from 'hono';
import { Hono } from 'hono';
import { z } from 'zod';
import { type AppEnv, requires } from '../../access.ts';
import { createClientAddress } from '../../platform/client-address.ts';
import type { Deps } from '../../platform/deps.ts';
import { AppError } from '../../platform/errors.ts';
import { isOwnOrigin, requireOwnOrigin } from '../../platform/http/origin.ts';
import { UNSTORABLE, unstorableField } from '../../platform/http/storable.ts';
import { limitBody } from '../../platform/http/validate.ts';
import { outageOf } from '../../platform/outage.ts';
import { hashPassword } from '../../platform/password.ts';
import { ADDRESS_HEADER, type Auth, loggedFailures, preparedHash } from './accounts.auth.ts';
import { passwordRefusal, type Refusal, shownRules, signInBody, signUpBody } from './accounts.credentials.ts';
import { findDevice, rememberDevice } from './accounts.device.ts';
import { consumeAddress, consumeSignIn, forgiveSignIns } from './accounts.limits.service.ts';
import { findUserId, getMe } from './accounts.service.ts';

/** A name, an email and the longest password, each with its longest escape. */
const CREDENTIALS_BYTES = 16 * 1024;
const EMAIL_IN_USE = {
  code: 'USER_ALREADY_EXISTS_USE_ANOTHER_EMAIL',
  message: 'User already exists. Use another email.',
};

/** `api` is mounted at /api/me, `authApi` at /api/auth: only these calls of the identity provider can be reached. */
export function accountsRoutes(deps: Deps, auth: Auth) {
  const api = new Hono<AppEnv>().get('/', requires('user'), async (c) => c.json(await getMe(deps, c.get('caller'))));
  return { api, authApi: identityRoutes(deps, auth) };
}

function identityRoutes(deps: Deps, auth: Auth) {
  const addressOf = createClientAddress(deps.config.TRUSTED_PROXIES);
  const forward = async (c: Context, body?: unknown) => {
    const failures: unknown[] = [];
    const response = await loggedFailures.run(failures, () => auth.handler(inner(c, addressOf(c), body)));
    // Sign-out, for example, answers success although the session still exists.
    const outage = failures.find((failure) => outageOf(failure) !== null);
    if (outage !== undefined) throw outage;
    return complete(response);
  };
  return new Hono<AppEnv>()
    .use(limitBody(CREDENTIALS_BYTES), requireOwnOrigin(deps.config), refuseForeignOrigin(deps))
    .get('/get-session', requires('public'), async (c) => {
      const response = await forward(c);
      const signedIn = (await response.clone().json()) !== null;
      // better-auth would clear the cookie, from which the page learns that its account was disabled.
      return signedIn || !(await c.get('wasDisabled')()) ? response : c.json(null);
    })
    .get('/ended', requires('public'), async (c) =>
      c.json<SignInEnd>({ reason: (await c.get('wasDisabled')()) ? 'disabled' : null }),
    )
    .get('/password-rules', requires('public'), (c) => c.json(shownRules(deps.config)))
    .post('/sign-out', requires('public'), (c) => forward(c))
    .post('/sign-up/email', requires('public'), async (c) => {
      const body = await readBody(c, signUpBody);
      if (!body.success) return refuse(c, 400, body.refusal);
      const refusal = passwordRefusal(deps.config, body.data.password);
      if (refusal !== null) return refuse(c, 400, refusal);
      const attempt = await consumeAddress(deps, '/sign-up/email', addressOf(c), deps.config.AUTH_RATE_MAX);
      if (attempt.retryAfter !== null) return tooMany(attempt.retryAfter);
      // Before hashing, which is expensive. The specification asks for this sentence, so it reveals nothing more.
      if ((await findUserId(deps, body.data.email)) !== null) return refuse(c, 422, EMAIL_IN_USE);
      const hash = await hashPassword(body.data.password, deps.passwordCost);
      const response = await preparedHash.run(hash, () => forward(c, body.data));
      if (await lostRace(deps, response, body.data.email)) return refuse(c, 422, EMAIL_IN_USE);
      if (response.ok) rememberDevice(deps, c, body.data.email, response);
      return response;
    })
    .post('/sign-in/email', requires('public'), async (c) => {
      const body = await readBody(c, signInBody);
      if (!body.success) return refuse(c, 400, body.refusal);
      const { email } = body.data;
      const attempt = { email, address: addressOf(c), device: findDevice(deps, c, email) };
      const { retryAfter } = await consumeSignIn(deps, attempt, deps.config.AUTH_RATE_MAX);
      if (retryAfter !== null) return tooMany(retryAfter);
      const response = await forward(c, body.data);
      if (response.ok) {
        await forgiveSignIns(deps, attempt);
        rememberDevice(deps, c, email, response);
      }
      return response;
    });
}

/** Sign-in and sign-up have no cookie yet; a foreign page must not start them either (it would sign the visitor in as somebody else). */
function refuseForeignOrigin(deps: Deps) {
  return async (c: Context, next: () => Promise<void>) => {
    const origin = c.req.header('origin');
    if (c.req.method !== 'GET' && origin !== undefined && !isOwnOrigin(deps.config, origin, c.req.url)) {
      throw new AppError('forbidden', 'This request did not come from a page of this server.');
    }
    await next();
  };
}

type Read<T> = { success: true; data: T } | { success: false; refusal: Refusal };

async function readBody<T>(c: Context, schema: z.ZodType<T>): Promise<Read<T>> {
  const invalid = (message: string, field?: string): Read<T> => ({
    success: false,
    refusal: { code: 'VALIDATION_ERROR', message, ...(field ? { field } : {}) },
  });
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
  if (parsed.success) return { success: true, data: parsed.data };
  const issue = parsed.error.issues[0];
  return invalid(issue?.path.length ? issue.message : 'The body must be a JSON object.', issue?.path.join('.'));
}

/** The request for better-auth: our parsed body, and the address that we know. */
function inner(c: Context, address: string, body?: unknown): Request {
  const headers = new Headers(c.req.raw.headers);
  for (const name of ['content-length', 'content-type', 'transfer-encoding']) headers.delete(name);
  headers.set(ADDRESS_HEADER, address);
  const url = new URL(c.req.url);
  url.search = '';
  if (body === undefined) return new Request(url, { method: c.req.method, headers });
  headers.set('content-type', 'application/json');
  return new Request(url, { method: c.req.method, headers, body: JSON.stringify(body) });
}

/** better-auth's answer, with the standard header on 429; server errors become our one error body. */
function complete(response: Response): Response {
  if (response.status >= 500) throw new Error(`the identity provider answered ${response.status}`);
  const seconds = response.headers.get('x-retry-after');
  return response.status === 429 ? tooMany(Number(seconds ?? 60)) : response;
}

function tooMany(seconds: number): Response {
  const wait = seconds > 90 ? `${Math.ceil(seconds / 60)} minutes` : `${seconds} seconds`;
  return Response.json(
    { code: 'TOO_MANY_REQUESTS', message: `Too many attempts. Please try again in ${wait}.` },
    { status: 429, headers: { 'Retry-After': String(seconds), 'X-Retry-After': String(seconds) } },
  );
}

const refuse = (c: Context, status: 400 | 422, refusal: Refusal) => c.json(refusal, status);

/** When two sign-ups with one email run at once, the database refuses the second, and better-auth only reports a failure. */
async function lostRace(deps: Deps, response: Response, email: string): Promise<boolean> {
  if (response.status !== 422) return false;
  const { code } = z.object({ code: z.string().optional() }).parse(await response.clone().json());
  if (code !== 'FAILED_TO_CREATE_USER') return false;
  if ((await findUserId(deps, email)) === null) throw new Error('the account could not be created');
  return true;
}
