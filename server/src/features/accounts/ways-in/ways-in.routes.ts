import { type Passkey, PROVIDER_NAMES, type SignInProvider, signInProvider } from '@atelier/contract/accounts';
import { type Context, Hono } from 'hono';
import { z } from 'zod';
import { type AppEnv, requires } from '../../../access.ts';
import type { Deps } from '../../../platform/deps.ts';
import { AppError, notFound } from '../../../platform/errors.ts';
import { type Auth, createAuth, type SignInTrace, signInTrace } from '../accounts.auth.ts';
import { passwordRefusal } from '../accounts.credentials.ts';
import { noteSignIn, rememberDevice } from '../accounts.device.ts';
import { createIdentity, type Identity, readBody, refuse, tooMany } from '../accounts.identity.ts';
import { consumeAddress } from '../accounts.limits.service.ts';
import { signInProviders } from './providers.ts';
import {
  beginPasskeyBody,
  deletePasskeyBody,
  finishPasskeyBody,
  linkBody,
  renamePasskeyBody,
  setPasswordBody,
  socialBody,
  unlinkBody,
  usePasskeyBody,
} from './ways-in.bodies.ts';
import {
  confirmOwner,
  deletePasskey,
  emailOf,
  isLinked,
  listPasskeys,
  renamePasskey,
  setFirstPassword,
  tellAddedWay,
  unlinkProvider,
} from './ways-in.service.ts';

/** Signing in with an account elsewhere or with a passkey, and which of these an account has. */
export function waysInRoutes(deps: Deps, identity: Identity) {
  return new Hono<AppEnv>()
    .route('/', providerRoutes(deps, identity))
    .route('/passkey', passkeyRoutes(deps, createIdentity(deps, { handler: passkeyHandler(deps) })))
    .post('/set-password', requires('user'), async (c) => {
      const body = await readBody(c, setPasswordBody);
      if (!body.success) return refuse(c, 400, body.refusal);
      const refusal = passwordRefusal(deps.config, body.data.newPassword, 'newPassword');
      if (refusal !== null) return refuse(c, 400, refusal);
      await setFirstPassword(deps, c.get('caller'), body.data.newPassword);
      return c.json({ status: true });
    });
}

/** Their library is large, and most processes see no passkey. */
function passkeyHandler(deps: Deps): Auth['handler'] {
  let opened: Promise<Auth> | undefined;
  const open = async () => {
    const { passkeysPlugin } = await import('./passkeys.ts');
    return createAuth(deps, [passkeysPlugin()]);
  };
  return async (request) => (await (opened ??= open())).handler(request);
}

function providerRoutes(deps: Deps, identity: Identity) {
  const { forward } = identity;
  const begin = (c: Context<AppEnv>, provider: SignInProvider, to: { back: string; failed: string }) => {
    if (!signInProviders(deps.config).includes(provider)) throw notFound('This way to sign in');
    return forward(c, { provider, callbackURL: to.back, errorCallbackURL: to.failed, disableRedirect: true });
  };
  return new Hono<AppEnv>()
    .get('/providers', requires('public'), (c) => c.json({ providers: signInProviders(deps.config) }))
    .post('/sign-in/social', requires('public'), async (c) => {
      const body = await readBody(c, socialBody);
      if (!body.success) return refuse(c, 400, body.refusal);
      const wait = await spend(deps, identity, c, '/sign-in/social');
      return wait ?? begin(c, body.data.provider, { back: body.data.from, failed: '/login' });
    })
    .post('/link-social', requires('user'), async (c) => {
      const body = await readBody(c, linkBody);
      if (!body.success) return refuse(c, 400, body.refusal);
      const { provider, password } = body.data;
      await confirmOwner(deps, c.get('caller'), password);
      if (await isLinked(deps, c.get('caller').uid, provider)) {
        throw new AppError('conflict', `An account at ${PROVIDER_NAMES[provider]} is linked already. Unlink it first.`);
      }
      return begin(c, provider, { back: `/account?linked=${provider}`, failed: '/account' });
    })
    .post('/unlink-account', requires('user'), async (c) => {
      const body = await readBody(c, unlinkBody);
      if (!body.success) return refuse(c, 400, body.refusal);
      await unlinkProvider(deps, c.get('caller'), body.data.provider);
      return c.json({ status: true });
    })
    .get('/callback/:provider', requires('public'), async (c) => {
      const provider = signInProvider.safeParse(c.req.param('provider'));
      if (!provider.success) throw notFound('This page');
      return (await spend(deps, identity, c, '/callback')) ?? comeBack(deps, identity, c, provider.data);
    });
}

/** Somebody comes back from a provider: signed in, half signed in, with a linked account, or refused. */
async function comeBack(deps: Deps, identity: Identity, c: Context<AppEnv>, provider: SignInProvider) {
  const trace: SignInTrace = {};
  const answered = await signInTrace.run(trace, () => identity.forward(c, undefined, new URL(c.req.url).search));
  const place = answered.headers.get('location') ?? '/login';
  const asksForCode = isHalf(await answered.clone().text());
  const headers = new Headers({ location: asksForCode ? codePage(place) : place });
  for (const cookie of answered.headers.getSetCookie()) headers.append('set-cookie', cookie);
  const answer = new Response(null, { status: 302, headers });
  if (asksForCode) return answer;
  await noteTrace(deps, identity, c, { trace, answer });
  if (place === `/account?linked=${provider}`) await tellLinked(deps, c, provider);
  return answer;
}

async function tellLinked(deps: Deps, c: Context<AppEnv>, provider: SignInProvider): Promise<void> {
  const caller = await c.get('findCaller')();
  if (caller !== null) await tellAddedWay(deps, caller.uid, PROVIDER_NAMES[provider]);
}

/** Remembers the device, as every sign-in does. */
async function noteTrace(
  deps: Deps,
  { addressOf }: Identity,
  c: Context<AppEnv>,
  { trace, answer }: { trace: SignInTrace; answer: Response },
): Promise<void> {
  const email = trace.userId === undefined ? null : await emailOf(deps, trace.userId);
  if (email === null) return;
  if (trace.isNew) rememberDevice(deps, c, email, answer);
  else await noteSignIn(deps, c, { email, address: addressOf(c) }, answer);
}

const half = z.object({ twoFactorRedirect: z.literal(true) });
function isHalf(text: string): boolean {
  try {
    return half.safeParse(JSON.parse(text)).success;
  } catch {
    return false;
  }
}

/** The page that asks for the code, and goes on to where the person was going. */
const codePage = (place: string) => `/login?${new URLSearchParams({ step: 'code', from: place })}`;

async function spend(deps: Deps, { addressOf }: Identity, c: Context<AppEnv>, path: string): Promise<Response | null> {
  const rate = await consumeAddress(deps, path, addressOf(c), deps.config.AUTH_RATE_MAX);
  return rate.retryAfter === null ? null : tooMany(rate.retryAfter);
}

function passkeyRoutes(deps: Deps, identity: Identity) {
  const { forward } = identity;
  return new Hono<AppEnv>()
    .get('/list-user-passkeys', requires('user'), async (c) =>
      c.json<{ passkeys: Passkey[] }>({ passkeys: await listPasskeys(deps, c.get('caller').uid) }),
    )
    .post('/generate-register-options', requires('user'), async (c) => {
      const body = await readBody(c, beginPasskeyBody);
      if (!body.success) return refuse(c, 400, body.refusal);
      await confirmOwner(deps, c.get('caller'), body.data.password);
      return forward(c, undefined, '', 'GET');
    })
    .post('/verify-registration', requires('user'), async (c) => {
      const body = await readBody(c, finishPasskeyBody);
      if (!body.success) return refuse(c, 400, body.refusal);
      const made = await forward(c, body.data);
      if (!made.ok) return made;
      const { id } = z.object({ id: z.string() }).parse(await made.json());
      await tellAddedWay(deps, c.get('caller').uid, 'a passkey');
      const passkey = (await listPasskeys(deps, c.get('caller').uid)).find((one) => one.id === id);
      return c.json({ passkey });
    })
    .post('/generate-authenticate-options', requires('public'), async (c) => {
      return (await spend(deps, identity, c, '/passkey')) ?? forward(c, undefined, '', 'GET');
    })
    .post('/verify-authentication', requires('public'), async (c) => {
      const body = await readBody(c, usePasskeyBody);
      if (!body.success) return refuse(c, 400, body.refusal);
      const wait = await spend(deps, identity, c, '/passkey/verify');
      if (wait !== null) return wait;
      const trace: SignInTrace = {};
      const answer = await signInTrace.run(trace, () => forward(c, body.data));
      if (answer.ok) await noteTrace(deps, identity, c, { trace, answer });
      return answer;
    })
    .post('/update-passkey', requires('user'), async (c) => {
      const body = await readBody(c, renamePasskeyBody);
      if (!body.success) return refuse(c, 400, body.refusal);
      return c.json({ passkey: await renamePasskey(deps, c.get('caller'), body.data) });
    })
    .post('/delete-passkey', requires('user'), async (c) => {
      const body = await readBody(c, deletePasskeyBody);
      if (!body.success) return refuse(c, 400, body.refusal);
      await deletePasskey(deps, c.get('caller'), body.data.id);
      return c.json({ status: true });
    });
}
