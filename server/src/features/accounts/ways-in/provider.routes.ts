import { type SignInProvider, signInProvider } from '@atelier/contract/accounts';
import { type Context, Hono } from 'hono';
import { type AppEnv, requires } from '../../../access.ts';
import type { Deps } from '../../../platform/deps.ts';
import { notFound } from '../../../platform/errors.ts';
import { type Identity, takesBody } from '../accounts.identity.ts';
import { refuseSecondLink } from '../accounts.service.ts';
import { comeBack } from './come-back.ts';
import { confirmOwner } from './confirm-owner.service.ts';
import { spend } from './note-sign-in.ts';
import { signInProviders } from './providers.ts';
import { linkBody, socialBody, unlinkBody } from './ways-in.bodies.ts';
import { unlinkProvider } from './ways-in.service.ts';

/** Signing in by a provider, and linking its accounts. */
export function providerRoutes(deps: Deps, identity: Identity) {
  const { forward } = identity;
  const begin = (c: Context<AppEnv>, provider: SignInProvider, to: { back: string; failed: string }) => {
    if (!signInProviders(deps.config).includes(provider)) throw notFound('This way to sign in');
    return forward(c, { provider, callbackURL: to.back, errorCallbackURL: to.failed, disableRedirect: true });
  };
  return new Hono<AppEnv>()
    .get('/providers', requires('public'), (c) => c.json({ providers: signInProviders(deps.config) }))
    .post('/sign-in/social', requires('public'), takesBody(socialBody), async (c) => {
      const body = c.req.valid('json');
      const wait = await spend(deps, identity, c, '/sign-in/social');
      // Whoever is signed in already proves who they are, and goes on where they were.
      const failed = (await c.get('findCaller')()) === null ? '/login' : body.from;
      return wait ?? begin(c, body.provider, { back: body.from, failed });
    })
    .post('/link-social', requires('user'), takesBody(linkBody), async (c) => {
      const { provider, password } = c.req.valid('json');
      await confirmOwner(deps, c.get('caller'), password);
      await refuseSecondLink(deps, c.get('caller').uid, provider);
      return begin(c, provider, { back: `/account?linked=${provider}`, failed: '/account' });
    })
    .post('/unlink-account', requires('user'), takesBody(unlinkBody), async (c) => {
      await confirmOwner(deps, c.get('caller'));
      await unlinkProvider(deps, c.get('caller'), c.req.valid('json').provider);
      return c.json({ status: true });
    })
    .get('/callback/:provider', requires('public'), async (c) => {
      const provider = signInProvider.safeParse(c.req.param('provider'));
      if (!provider.success) throw notFound('This page');
      return (await spend(deps, identity, c, '/callback')) ?? comeBack(deps, identity, c, provider.data);
    });
}
