import { Hono } from 'hono';
import { type AppEnv, requires } from '../../../access.ts';
import type { Deps } from '../../../platform/deps.ts';
import { passwordRefusal } from '../accounts.credentials.ts';
import { createIdentity, type Identity, refuse, takesBody } from '../accounts.identity.ts';
import { getWays, keepWays } from '../suspension/suspension.service.ts';
import { confirmOwnerRoutes } from './confirm-owner.routes.ts';
import { confirmOwner } from './confirm-owner.service.ts';
import { passkeyHandler, passkeyRoutes } from './passkey.routes.ts';
import { providerRoutes } from './provider.routes.ts';
import { keepWaysBody, setPasswordBody } from './ways-in.bodies.ts';
import { setFirstPassword } from './ways-in.service.ts';

/** Signing in with an account elsewhere or with a passkey, and which of these an account has. */
export function waysInRoutes(deps: Deps, identity: Identity) {
  const passkeys = createIdentity(deps, { handler: passkeyHandler(deps) });
  return new Hono<AppEnv>()
    .route('/', providerRoutes(deps, identity))
    .route('/passkey', passkeyRoutes(deps, passkeys))
    .route('/', confirmOwnerRoutes(deps, { identity, passkeys }))
    .get('/ways', requires('user'), async (c) => c.json(await getWays(deps, c.get('caller'))))
    .post('/keep-ways', requires('user'), takesBody(keepWaysBody), async (c) => {
      const { ids, password } = c.req.valid('json');
      await confirmOwner(deps, c.get('caller'), password);
      await keepWays(deps, c.get('caller'), ids);
      return c.json(await getWays(deps, c.get('caller')));
    })
    .post('/set-password', requires('user'), takesBody(setPasswordBody), async (c) => {
      const body = c.req.valid('json');
      const { displayName: name, email } = c.get('caller');
      const refusal = passwordRefusal(deps.config, body.newPassword, 'newPassword', { name, email });
      if (refusal !== null) return refuse(c, 400, refusal);
      await confirmOwner(deps, c.get('caller'));
      await setFirstPassword(deps, c.get('caller'), body.newPassword);
      return c.json({ status: true });
    });
}
