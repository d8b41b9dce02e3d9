import { wayCalls } from '@atelier/contract/accounts/ways';
import { type Context, Hono } from 'hono';
import type { AppEnv } from '../../../access.ts';
import type { Deps } from '../../../platform/deps.ts';
import { AppError } from '../../../platform/errors.ts';
import { passwordRefusal } from '../accounts.credentials.ts';
import { createIdentity, type Identity, refuse, serveIdentity } from '../accounts.identity.ts';
import { forgiveConfirmation } from '../accounts.limits.service.ts';
import { countConfirmation } from '../accounts.passwords.service.ts';
import { getWays, keepWays } from '../suspension/suspension.service.ts';
import { confirmCode } from './confirm-code.ts';
import { confirmOwner, prove, requireOwnPasskey } from './confirm-owner.service.ts';
import { passkeyHandler, passkeyRoutes } from './passkey.routes.ts';
import { providerRoutes } from './provider.routes.ts';
import { setFirstPassword } from './ways-in.service.ts';

/** Signing in with an account elsewhere or with a passkey, and which of these an account has. */
export function waysInRoutes(deps: Deps, identity: Identity) {
  const passkeys = createIdentity(deps, { handler: passkeyHandler(deps) });
  const routes = serveIdentity(wayCalls, {
    // For what `confirmOwner` asks. Wrong tries of every kind count together.
    confirmOwner: async ({ c, caller, body: { password, code, response } }) => {
      if (response !== undefined) await confirmPasskey(deps, passkeys, c, response);
      else if (code !== undefined) await confirmCode(deps, identity, c, code);
      else await confirmOwner(deps, caller, password);
      await prove(deps, caller);
      return { status: true };
    },
    list: ({ caller }) => getWays(deps, caller),
    keep: async ({ caller, body: { ids, password } }) => {
      await confirmOwner(deps, caller, password);
      await keepWays(deps, caller, ids);
      return getWays(deps, caller);
    },
    setPassword: async ({ c, caller, body: { newPassword } }) => {
      const { displayName: name, email } = caller;
      const refusal = passwordRefusal(deps.config, newPassword, 'newPassword', { name, email });
      if (refusal !== null) return refuse(c, 400, refusal);
      await confirmOwner(deps, caller);
      await setFirstPassword(deps, caller, newPassword);
      return { status: true };
    },
  });
  return new Hono<AppEnv>()
    .route('/', providerRoutes(deps, identity))
    .route('/', passkeyRoutes(deps, passkeys))
    .route('/', routes);
}

async function confirmPasskey(
  deps: Deps,
  { forwardKeeping }: Identity,
  c: Context<AppEnv>,
  response: { id: string },
): Promise<void> {
  const caller = c.get('caller');
  await countConfirmation(deps, caller.uid);
  await requireOwnPasskey(deps, caller, response.id);
  if (!(await forwardKeeping(c, { response }, '/api/auth/passkey/verify-authentication')).ok) {
    throw new AppError('forbidden', 'The passkey could not be checked. Please try again.');
  }
  await forgiveConfirmation(deps, caller.uid);
}
