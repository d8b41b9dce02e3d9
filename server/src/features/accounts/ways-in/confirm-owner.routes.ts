import { type Context, Hono } from 'hono';
import { type AppEnv, requires } from '../../../access.ts';
import type { Deps } from '../../../platform/deps.ts';
import { AppError } from '../../../platform/errors.ts';
import { type Identity, takesBody } from '../accounts.identity.ts';
import { forgiveConfirmation } from '../accounts.limits.service.ts';
import { countConfirmation } from '../accounts.passwords.service.ts';
import { confirmCode } from './confirm-code.ts';
import { confirmOwner, prove, requireOwnPasskey } from './confirm-owner.service.ts';
import { confirmOwnerBody } from './ways-in.bodies.ts';

/** Proving that a signed-in person is the owner, for what `confirmOwner` asks. Wrong tries of every kind count together. */
export function confirmOwnerRoutes(deps: Deps, identities: { identity: Identity; passkeys: Identity }) {
  return new Hono<AppEnv>().post('/confirm-owner', requires('user'), takesBody(confirmOwnerBody), async (c) => {
    const { password, code, response } = c.req.valid('json');
    const caller = c.get('caller');
    if (response !== undefined) await confirmPasskey(deps, identities.passkeys, c, response);
    else if (code !== undefined) await confirmCode(deps, identities.identity, c, code);
    else await confirmOwner(deps, caller, password);
    await prove(deps, caller);
    return c.json({ status: true });
  });
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
