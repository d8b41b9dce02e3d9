import { twoFactorCalls } from '@atelier/contract/accounts/sign-in';
import type { Context } from 'hono';
import { getCookie } from 'hono/cookie';
import { z } from 'zod';
import type { AppEnv, Caller } from '../../access.ts';
import type { Deps } from '../../platform/deps.ts';
import { noteSignIn } from './accounts.device.ts';
import { announce } from './accounts.email.service.ts';
import { type Identity, serveIdentity, tooMany } from './accounts.identity.ts';
import { consumeAddress, consumeCode, forgiveConfirmation, isCodeUsed } from './accounts.limits.service.ts';
import { countConfirmation } from './accounts.passwords.service.ts';
import { deleteSessions, hasTwoFactor, passwordHash } from './accounts.service.ts';
import { admitFactor } from './accounts.two-factor.service.ts';
import { noteActivity, noteAttempt, noteTraced } from './activity/activity.service.ts';
import { provenOwner, type SignInTrace } from './auth/call-notes.ts';
import { signInUnlessOutdated, userBehindChallenge } from './suspension/suspension.service.ts';
import { confirmCode, USED_CODE } from './ways-in/confirm-code.ts';
import { confirmOwner, prove } from './ways-in/confirm-owner.service.ts';

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
  return async ({ c, body }: { c: Context<AppEnv>; body: { code: string } }) => {
    const address = addressOf(c);
    const rate = await consumeAddress(deps, '/two-factor', address, deps.config.AUTH_RATE_MAX);
    if (rate.retryAfter !== null) return tooMany(rate.retryAfter);
    const caller = await c.get('findCaller')();
    if (caller !== null) await countConfirmation(deps, caller.uid);
    const wasOn = caller !== null && (await hasTwoFactor(deps, caller.uid));
    const challenge = challengeOf(c);
    const waiting = caller === null ? await userBehindChallenge(deps, challenge) : null;
    const isRecovery = c.req.path.endsWith('backup-code');
    const refuseUsed = async (uid: string) => {
      await noteActivity(deps, uid, 'code_refused', { about: 'used' });
      return c.json({ code: 'CODE_USED', message: USED_CODE }, 401);
    };
    // better-auth would take it and end the sign-in that waits, in which the next code shall count.
    if (waiting !== null && !isRecovery && (await isCodeUsed(deps, waiting, body.code))) return refuseUsed(waiting);
    const trace: SignInTrace = caller === null ? { passwordHash: waiting && (await passwordHash(deps, waiting)) } : {};
    const signedIn = () => signInUnlessOutdated(deps, trace, () => forward(c, body));
    const response = (await (caller === null ? signedIn() : forwardKeeping(c, body))) ?? c.json(CHALLENGE_ENDED, 401);
    if (!response.ok) {
      noteAttempt(deps, caller === null ? { challenge } : { uid: caller.uid }, 'code_refused');
      return response;
    }
    if (caller !== null && !wasOn) await admitFactor(deps, caller);
    if (!(await consumeCode(deps, caller?.uid ?? trace.userId ?? '', body.code)).allowed) {
      await deleteSessions(deps, trace.sessionId === undefined ? [] : [trace.sessionId]);
      return refuseUsed(caller?.uid ?? trace.userId ?? '');
    }
    const { email } = verified.parse(await response.clone().json()).user;
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
  const withFactor = async (
    c: Context<AppEnv>,
    caller: Caller,
    body: { code: string; password?: string | undefined },
  ) => {
    if (body.password !== undefined) await confirmOwner(deps, caller, body.password);
    await confirmCode(deps, identity, c, body.code);
    await prove(deps, caller);
    return forwardProven(c);
  };
  const withCode = takesCode(deps, identity);
  return serveIdentity(twoFactorCalls, {
    enable: async ({ c, caller, body }) => {
      await confirmOwner(deps, caller, body.password);
      const response = await forwardProven(c);
      if (response.ok) await admitFactor(deps, caller);
      return response;
    },
    disable: async ({ c, caller, body }) => {
      const response = await withFactor(c, caller, body);
      if (response.ok) await announceFactor(deps, caller.uid, false);
      return response;
    },
    renewCodes: async ({ c, caller, body }) => {
      const response = await withFactor(c, caller, body);
      if (!response.ok) return response;
      await announce(deps, caller.uid, { kind: 'recovery_codes' });
      await noteActivity(deps, caller.uid, 'recovery_codes_made');
      return response;
    },
    verifyTotp: withCode,
    verifyRecoveryCode: withCode,
  });
}
