import { type Context, Hono } from 'hono';
import { z } from 'zod';
import { type AppEnv, requires } from '../../access.ts';
import type { Deps } from '../../platform/deps.ts';
import { codeBody, passwordBody } from './accounts.credentials.ts';
import { noteSignIn } from './accounts.device.ts';
import { announce } from './accounts.email.service.ts';
import { type Identity, readBody, refuse, tooMany } from './accounts.identity.ts';
import { consumeAddress } from './accounts.limits.service.ts';
import { confirmPassword } from './accounts.passwords.service.ts';
import { hasTwoFactor } from './accounts.service.ts';

const verified = z.object({ user: z.object({ email: z.string() }) });

/** The second factor: setting it up and taking it away, and the code that a sign-in asks for. */
export function twoFactorRoutes(deps: Deps, identity: Identity) {
  const { addressOf, forward, forwardKeeping } = identity;
  /** Passes a call on once the password is right, which is counted as everywhere. */
  const withPassword = async (c: Context<AppEnv>) => {
    const body = await readBody(c, passwordBody);
    if (!body.success) return refuse(c, 400, body.refusal);
    await confirmPassword(deps, c.get('caller').uid, { password: body.data.password, field: 'password' });
    return forwardKeeping(c, body.data);
  };
  /** A code ends the set-up of somebody who is signed in; of anybody else it ends a sign-in. */
  const withCode = async (c: Context<AppEnv>) => {
    const body = await readBody(c, codeBody);
    if (!body.success) return refuse(c, 400, body.refusal);
    const address = addressOf(c);
    const rate = await consumeAddress(deps, '/two-factor', address, deps.config.AUTH_RATE_MAX);
    if (rate.retryAfter !== null) return tooMany(rate.retryAfter);
    const caller = await c.get('findCaller')();
    const wasOn = caller !== null && (await hasTwoFactor(deps, caller.uid));
    const response = await (caller === null ? forward(c, body.data) : forwardKeeping(c, body.data));
    if (!response.ok) return response;
    const { email } = verified.parse(await response.clone().json()).user;
    if (caller === null) await noteSignIn(deps, c, { email, address }, response);
    else if (!wasOn) await announce(deps, caller.uid, { kind: 'two_factor', on: true });
    return response;
  };
  return new Hono<AppEnv>()
    .post('/enable', requires('user'), withPassword)
    .post('/disable', requires('user'), async (c) => {
      const response = await withPassword(c);
      if (response.ok) await announce(deps, c.get('caller').uid, { kind: 'two_factor', on: false });
      return response;
    })
    .post('/generate-backup-codes', requires('user'), withPassword)
    .post('/verify-totp', requires('public'), withCode)
    .post('/verify-backup-code', requires('public'), withCode);
}
