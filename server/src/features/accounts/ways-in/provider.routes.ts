import { type SignInProvider, signInProvider } from '@atelier/contract/accounts';
import { providerCalls } from '@atelier/contract/accounts/ways';
import type { Context } from 'hono';
import type { AppEnv } from '../../../access.ts';
import type { Deps } from '../../../platform/deps.ts';
import { notFound } from '../../../platform/errors.ts';
import { type Identity, serveIdentity } from '../accounts.identity.ts';
import { refuseSecondLink } from '../accounts.service.ts';
import { comeBack } from './come-back.ts';
import { confirmOwner } from './confirm-owner.service.ts';
import { spend } from './note-sign-in.ts';
import { signInProviders } from './providers.ts';
import { unlinkProvider } from './ways-in.service.ts';

/** Signing in by a provider, and linking its accounts. */
export function providerRoutes(deps: Deps, identity: Identity) {
  const { forward } = identity;
  const begin = (c: Context<AppEnv>, provider: SignInProvider, to: { back: string; failed: string }) => {
    if (!signInProviders(deps.config).includes(provider)) throw notFound('This way to sign in');
    return forward(c, { provider, callbackURL: to.back, errorCallbackURL: to.failed, disableRedirect: true });
  };
  return serveIdentity(providerCalls, {
    list: () => ({ providers: signInProviders(deps.config) }),
    signIn: async ({ c, body }) => {
      const wait = await spend(deps, identity, c, '/sign-in/social');
      // Whoever is signed in already proves who they are, and goes on where they were.
      const failed = (await c.get('findCaller')()) === null ? '/login' : body.from;
      return wait ?? begin(c, body.provider, { back: body.from, failed });
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
      return (await spend(deps, identity, c, '/callback')) ?? comeBack(deps, identity, c, provider.data);
    },
  });
}
