import { type Context, Hono } from 'hono';
import { z } from 'zod';
import { type AppEnv, requires } from '../../access.ts';
import type { Deps } from '../../platform/deps.ts';
import { codeBody, factorBody, passwordBody } from './accounts.credentials.ts';
import { noteSignIn } from './accounts.device.ts';
import { announce } from './accounts.email.service.ts';
import { type Identity, takesBody, tooMany } from './accounts.identity.ts';
import { consumeAddress, consumeCode, forgiveConfirmation } from './accounts.limits.service.ts';
import { countConfirmation } from './accounts.passwords.service.ts';
import { deleteSessions, hasTwoFactor } from './accounts.service.ts';
import { provenOwner, type SignInTrace, signInTrace } from './auth/call-notes.ts';
import { confirmCode, USED_CODE } from './ways-in/confirm-code.ts';
import { confirmOwner, prove } from './ways-in/confirm-owner.service.ts';

type Given<T extends z.ZodType> = Context<AppEnv, string, { out: { json: z.infer<T> } }>;

const verified = z.object({ user: z.object({ email: z.string() }) });

/** The second factor: setting it up and taking it away, and the code that a sign-in asks for. */
export function twoFactorRoutes(deps: Deps, identity: Identity) {
  const { addressOf, forward, forwardKeeping } = identity;
  const forwardProven = (c: Context<AppEnv>) => provenOwner.run(true, () => forwardKeeping(c, { password: 'proven' }));
  /** A code is asked for each time by what weakens the second factor: other proofs don't make up for it. */
  const withFactor = async (c: Given<typeof factorBody>) => {
    const { code, password } = c.req.valid('json');
    if (password !== undefined) await confirmOwner(deps, c.get('caller'), password);
    await confirmCode(deps, identity, c, code);
    await prove(deps, c.get('caller'));
    return forwardProven(c);
  };
  /** A code ends the set-up of somebody who is signed in; of anybody else it ends a sign-in. */
  const withCode = async (c: Given<typeof codeBody>) => {
    const body = c.req.valid('json');
    const address = addressOf(c);
    const rate = await consumeAddress(deps, '/two-factor', address, deps.config.AUTH_RATE_MAX);
    if (rate.retryAfter !== null) return tooMany(rate.retryAfter);
    const caller = await c.get('findCaller')();
    if (caller !== null) await countConfirmation(deps, caller.uid);
    const wasOn = caller !== null && (await hasTwoFactor(deps, caller.uid));
    const trace: SignInTrace = {};
    const response = await (caller === null ? signInTrace.run(trace, () => forward(c, body)) : forwardKeeping(c, body));
    if (!response.ok) return response;
    if (!(await consumeCode(deps, caller?.uid ?? trace.userId ?? '', body.code)).allowed) {
      await deleteSessions(deps, trace.sessionId === undefined ? [] : [trace.sessionId]);
      return c.json({ code: 'CODE_USED', message: USED_CODE }, 401);
    }
    const { email } = verified.parse(await response.clone().json()).user;
    if (caller !== null) await forgiveConfirmation(deps, caller.uid);
    if (caller === null) await noteSignIn(deps, c, { email, address }, response);
    else if (!wasOn) await announce(deps, caller.uid, { kind: 'two_factor', on: true });
    return response;
  };
  return new Hono<AppEnv>()
    .post('/enable', requires('user'), takesBody(passwordBody), async (c) => {
      await confirmOwner(deps, c.get('caller'), c.req.valid('json').password);
      return forwardProven(c);
    })
    .post('/disable', requires('user'), takesBody(factorBody), async (c) => {
      const response = await withFactor(c);
      if (response.ok) await announce(deps, c.get('caller').uid, { kind: 'two_factor', on: false });
      return response;
    })
    .post('/generate-backup-codes', requires('user'), takesBody(factorBody), async (c) => {
      const response = await withFactor(c);
      if (response.ok) await announce(deps, c.get('caller').uid, { kind: 'recovery_codes' });
      return response;
    })
    .post('/verify-totp', requires('public'), takesBody(codeBody), withCode)
    .post('/verify-backup-code', requires('public'), takesBody(codeBody), withCode);
}
