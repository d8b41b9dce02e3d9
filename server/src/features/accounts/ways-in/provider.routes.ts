import { type SignInProvider, signInProvider } from '@atelier/contract/accounts';
import { providerCalls } from '@atelier/contract/accounts/ways';
import type { Context } from 'hono';
import { z } from 'zod';
import type { AppEnv } from '../../../access.ts';
import { violates } from '../../../platform/database/constraint.ts';
import type { Deps } from '../../../platform/deps.ts';
import { AppError, notFound } from '../../../platform/errors.ts';
import { parsedJson } from '../../../platform/parsed-json.ts';
import { type Identity, serveIdentity } from '../accounts.identity.ts';
import { refuseSecondLink } from '../accounts.service.ts';
import { noteActivity, noteAttempt, noteTraced } from '../activity/activity.service.ts';
import type { SignInTrace } from '../auth/call-notes.ts';
import { signInUnlessOutdated } from '../suspension/suspension.service.ts';
import { confirmOwner } from './confirm-owner.service.ts';
import { noteTrace, spend } from './note-sign-in.ts';
import { findProvider, providerName, providersOf } from './providers.ts';
import { invitationOfState, tellAddedWay, unlinkProvider } from './ways-in.service.ts';

/** Where a way to a provider ends, and the invitation with which somebody goes it. */
interface Journey {
  back: string;
  failed: string;
  invitation?: string | undefined;
}

/** Signing in by a provider, and linking its accounts. */
export function providerRoutes(deps: Deps, identity: Identity) {
  const { forward } = identity;
  const begin = async (c: Context<AppEnv>, provider: SignInProvider, to: Journey) => {
    const known = findProvider(deps.config, provider);
    if (known === undefined) throw notFound('This way to sign in');
    await known.endpoints().catch((error: unknown) => {
      deps.log.error('identity.provider', error, { provider });
      throw new AppError('unavailable', 'The sign-in there can’t be reached right now. Please try again later.');
    });
    const way = { callbackURL: to.back, errorCallbackURL: to.failed, disableRedirect: true };
    // Both come back with the state that better-auth stores.
    return forward(c, { provider, ...way, additionalData: { provider, invitation: to.invitation } });
  };
  return serveIdentity(providerCalls, {
    list: () => listProviders(deps.config),
    signIn: async ({ c, body }) => {
      const { invitation } = body;
      const wait = await spend(deps, identity, c, '/sign-in/social', invitation);
      // Whoever is signed in already proves who they are, and goes on where they were.
      const failed = (await c.get('findCaller')()) === null ? '/login' : body.from;
      return wait ?? begin(c, body.provider, { back: body.from, failed, invitation });
    },
    link: async ({ c, caller, body: { provider, password } }) => {
      await confirmOwner(deps, caller, password);
      await refuseSecondLink(deps, caller.uid, provider);
      return begin(c, provider, { back: `/account?linked=${provider}`, failed: '/account' });
    },
    unlink: async ({ caller, body }) => {
      await confirmOwner(deps, caller);
      await unlinkProvider(deps, caller, body.provider);
      return { status: true };
    },
    comeBack: async ({ c, params }) => {
      const provider = signInProvider.safeParse(params.provider);
      if (!provider.success) throw notFound('This page');
      const invitation = await invitationOfState(deps, c.req.query('state'));
      const wait = await spend(deps, identity, c, '/callback', invitation);
      // The browser shows what it gets here: a page says it better.
      return wait === null ? comeBack(deps, identity, c, provider.data) : c.redirect('/login?error=TOO_MANY_REQUESTS');
    },
  });
}

function listProviders(config: Deps['config']) {
  const configured = providersOf(config);
  const own = configured.find(({ id }) => id === 'oidc');
  return {
    providers: configured.map(({ id }) => id),
    ...(own && { openIdName: own.name }),
    ...(config.PASSWORDS_OFF && { passwords: false as const }),
  };
}

/** Whether an answer names its provider, where the provider does that (RFC 9207): one provider can't pass for another. */
async function isOfProvider(deps: Deps, provider: SignInProvider, answer: URLSearchParams): Promise<boolean> {
  const { issuer } = (await findProvider(deps.config, provider)?.endpoints()) ?? {};
  const named = answer.get('iss');
  if (issuer === undefined || (named === null && !issuer.isAlwaysNamed)) return true;
  return named === issuer.name;
}

/** Somebody comes back from a provider: signed in, half signed in, with a linked account, or refused. */
async function comeBack(deps: Deps, identity: Identity, c: Context<AppEnv>, provider: SignInProvider) {
  const refused = (error: string) => {
    noteAttempt(deps, null, 'sign_in_failed', { about: provider });
    return c.redirect(`/login?error=${error}`);
  };
  const { search, searchParams } = new URL(c.req.url);
  if (!(await isOfProvider(deps, provider, searchParams).catch(() => false))) {
    deps.log.info('identity.not_signed_in', { provider, reason: 'issuer_mismatch' });
    return refused('issuer_mismatch');
  }
  const trace: SignInTrace = { provider };
  const finish = () => identity.forward(c, undefined, { search }).catch(refuseLater);
  const answered = await signInUnlessOutdated(deps, trace, finish);
  if (answered === null) return refused('state_mismatch');
  const location = answered.headers.get('location') ?? '/login';
  const asksForCode = isHalf(await answered.clone().text());
  const headers = new Headers({ location: asksForCode ? codePage(location) : location });
  for (const cookie of answered.headers.getSetCookie()) headers.append('set-cookie', cookie);
  const answer = new Response(null, { status: 302, headers });
  if (asksForCode) {
    await noteTraced(deps, trace, 'code_asked', provider);
    return answer;
  }
  await noteTrace(deps, identity, c, { trace, answer, way: provider });
  if (location === `/account?linked=${provider}`) await tellLinked(deps, c, provider);
  else if (trace.userId === undefined) {
    noteAttempt(deps, null, 'sign_in_failed', { about: provider });
    deps.log.info('identity.not_signed_in', { provider, reason: reasonIn(location) });
  }
  return answer;
}

/** Of two links that are written in one moment, the database refuses the later one; better-auth only fails. */
function refuseLater(error: unknown): Response {
  if (!['account_provider', 'account_user_provider'].some((index) => violates(error, index))) throw error;
  return new Response(null, { status: 302, headers: { location: '/account?error=unable_to_link_account' } });
}

async function tellLinked(deps: Deps, c: Context<AppEnv>, provider: SignInProvider): Promise<void> {
  const caller = await c.get('findCaller')();
  if (caller === null) return;
  await tellAddedWay(deps, caller.uid, providerName(deps.config, provider));
  await noteActivity(deps, caller.uid, 'provider_linked', { about: provider });
}

/** The code of the refusal; anybody can come back with any words. */
function reasonIn(location: string): string | undefined {
  const code = new URL(location, 'http://localhost').searchParams.get('error') ?? '';
  return /^[\w-]{1,60}$/u.test(code) ? code : undefined;
}

const half = z.object({ twoFactorRedirect: z.literal(true) });
const isHalf = (text: string): boolean => half.safeParse(parsedJson(text)).success;

/** The page that asks for the code, and goes on to where the person was going. */
const codePage = (location: string) => `/login?${new URLSearchParams({ step: 'code', from: location })}`;
