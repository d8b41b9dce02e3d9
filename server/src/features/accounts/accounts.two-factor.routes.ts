import { type Context, Hono } from 'hono';
import { getCookie } from 'hono/cookie';
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
import { admitFactor } from './accounts.two-factor.service.ts';
import { noteActivity, noteAttempt, noteTraced } from './activity/activity.service.ts';
import { provenOwner, type SignInTrace } from './auth/call-notes.ts';
import { hashBehindChallenge, signInUnlessOutdated } from './suspension/outdated-sign-in.service.ts';
import { confirmCode, USED_CODE } from './ways-in/confirm-code.ts';
import { confirmOwner, prove } from './ways-in/confirm-owner.service.ts';

type Given<T extends z.ZodType> = Context<AppEnv, string, { out: { json: z.infer<T> } }>;

const verified = z.object({ user: z.object({ email: z.string() }) });

async function announceFactor(deps: Deps, uid: string, on: boolean): Promise<void> {
  await announce(deps, uid, { kind: 'two_factor', on });
  await noteActivity(deps, uid, on ? 'two_factor_on' : 'two_factor_off');
}

/** The sign-in that waits for its code, which better-auth names in a cookie. */
function challengeOf(c: Context): string {
  const [, signed = ''] = Object.entries(getCookie(c)).find(([name]) => name.endsWith('.two_factor')) ?? [];
  return signed.slice(0, Math.max(0, signed.lastIndexOf('.')));
}

/** better-auth’s own answer. */
const CHALLENGE_ENDED = { code: 'INVALID_TWO_FACTOR_COOKIE', message: 'Invalid two factor cookie' };

/** A code ends the set-up of somebody who is signed in; of anybody else it ends a sign-in. */
function takesCode(deps: Deps, { addressOf, forward, forwardKeeping }: Identity) {
  return async (c: Given<typeof codeBody>) => {
    const body = c.req.valid('json');
    const address = addressOf(c);
    const rate = await consumeAddress(deps, '/two-factor', address, deps.config.AUTH_RATE_MAX);
    if (rate.retryAfter !== null) return tooMany(rate.retryAfter);
    const caller = await c.get('findCaller')();
    if (caller !== null) await countConfirmation(deps, caller.uid);
    const wasOn = caller !== null && (await hasTwoFactor(deps, caller.uid));
    const challenge = challengeOf(c);
    const trace: SignInTrace = caller === null ? { passwordHash: await hashBehindChallenge(deps, challenge) } : {};
    const signedIn = () => signInUnlessOutdated(deps, trace, () => forward(c, body));
    const response = (await (caller === null ? signedIn() : forwardKeeping(c, body))) ?? c.json(CHALLENGE_ENDED, 401);
    if (!response.ok) {
      noteAttempt(deps, caller === null ? { challenge } : { uid: caller.uid }, 'code_refused');
      return response;
    }
    if (caller !== null && !wasOn) await admitFactor(deps, caller);
    if (!(await consumeCode(deps, caller?.uid ?? trace.userId ?? '', body.code)).allowed) {
      await noteActivity(deps, caller?.uid ?? trace.userId ?? '', 'code_refused', { about: 'used' });
      await deleteSessions(deps, trace.sessionId === undefined ? [] : [trace.sessionId]);
      return c.json({ code: 'CODE_USED', message: USED_CODE }, 401);
    }
    const { email } = verified.parse(await response.clone().json()).user;
    const isRecovery = c.req.path.endsWith('backup-code');
    await noteTraced(deps, trace, 'sign_in', isRecovery ? 'recovery_code' : 'code');
    if (caller !== null) await forgiveConfirmation(deps, caller.uid);
    if (caller === null) await noteSignIn(deps, c, { email, address }, response);
    else if (!wasOn) await announceFactor(deps, caller.uid, true);
    else if (isRecovery) await noteActivity(deps, caller.uid, 'recovery_code_used');
    return response;
  };
}

/** The second factor: setting it up and taking it away, and the code that a sign-in asks for. */
export function twoFactorRoutes(deps: Deps, identity: Identity) {
  const forwardProven = (c: Context<AppEnv>) =>
    provenOwner.run(true, () => identity.forwardKeeping(c, { password: 'proven' }));
  /** A code is asked for each time by what weakens the second factor: other proofs don't make up for it. */
  const withFactor = async (c: Given<typeof factorBody>) => {
    const { code, password } = c.req.valid('json');
    if (password !== undefined) await confirmOwner(deps, c.get('caller'), password);
    await confirmCode(deps, identity, c, code);
    await prove(deps, c.get('caller'));
    return forwardProven(c);
  };
  const withCode = takesCode(deps, identity);
  return new Hono<AppEnv>()
    .post('/enable', requires('user'), takesBody(passwordBody), async (c) => {
      await confirmOwner(deps, c.get('caller'), c.req.valid('json').password);
      const response = await forwardProven(c);
      if (response.ok) await admitFactor(deps, c.get('caller'));
      return response;
    })
    .post('/disable', requires('user'), takesBody(factorBody), async (c) => {
      const response = await withFactor(c);
      if (response.ok) await announceFactor(deps, c.get('caller').uid, false);
      return response;
    })
    .post('/generate-backup-codes', requires('user'), takesBody(factorBody), async (c) => {
      const response = await withFactor(c);
      if (!response.ok) return response;
      await announce(deps, c.get('caller').uid, { kind: 'recovery_codes' });
      await noteActivity(deps, c.get('caller').uid, 'recovery_codes_made');
      return response;
    })
    .post('/verify-totp', requires('public'), takesBody(codeBody), withCode)
    .post('/verify-backup-code', requires('public'), takesBody(codeBody), withCode);
}
