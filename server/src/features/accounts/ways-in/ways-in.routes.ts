import { Hono } from 'hono';
import { type AppEnv, requires } from '../../../access.ts';
import type { Deps } from '../../../platform/deps.ts';
import { passwordRefusal } from '../accounts.credentials.ts';
import { createIdentity, type Identity, readBody, refuse } from '../accounts.identity.ts';
import { passkeyHandler, passkeyRoutes } from './passkey.routes.ts';
import { providerRoutes } from './provider.routes.ts';
import { setPasswordBody } from './ways-in.bodies.ts';
import { setFirstPassword } from './ways-in.service.ts';

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
