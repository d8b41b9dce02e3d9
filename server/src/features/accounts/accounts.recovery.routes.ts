import { recoveryCalls } from '@atelier/contract/accounts/ways';
import type { Context } from 'hono';
import type { Deps } from '../../platform/deps.ts';
import { passwordRefusal, requirePasswords } from './accounts.credentials.ts';
import { rememberDevice } from './accounts.device.ts';
import { confirmEmail } from './accounts.email.service.ts';
import { type Identity, refuse, serveIdentity, tooMany } from './accounts.identity.ts';
import { consumeAddress } from './accounts.limits.service.ts';
import { requestReset, resetPassword } from './accounts.passwords.service.ts';
import { noteAttempt } from './activity/activity.service.ts';

/** better-auth’s own answer, the same for every address. */
const REQUESTED = {
  status: true as const,
  message: 'If this email exists in our system, check your email for the reset link',
};
const INVALID_TOKEN = {
  code: 'INVALID_TOKEN',
  message: 'This link has been used or is too old. Please ask for another one.',
};

/** What people can do without being signed in, by a link that was mailed to them or issued by the operator. */
export function recoveryRoutes(deps: Deps, { addressOf }: Identity) {
  const refuseLink = (c: Context) => {
    noteAttempt(deps, null, 'link_refused');
    return refuse(c, 400, INVALID_TOKEN);
  };
  return serveIdentity(recoveryCalls, {
    request: async ({ c, body: { email } }) => {
      requirePasswords(deps.config);
      const rate = await consumeAddress(deps, '/request-password-reset', addressOf(c), deps.config.AUTH_RATE_MAX);
      if (rate.retryAfter !== null) return tooMany(rate.retryAfter);
      await requestReset(deps, email);
      noteAttempt(deps, { email }, 'reset_asked');
      return REQUESTED;
    },
    reset: async ({ c, body }) => {
      requirePasswords(deps.config);
      const refusal = passwordRefusal(deps.config, body.newPassword, 'newPassword');
      if (refusal !== null) return refuse(c, 400, refusal);
      const rate = await consumeAddress(deps, '/reset-password', addressOf(c), deps.config.AUTH_RATE_MAX);
      if (rate.retryAfter !== null) return tooMany(rate.retryAfter);
      const done = await resetPassword(deps, body);
      if (done === null) return refuseLink(c);
      const answer = c.json({ status: true, suspended: done.suspended });
      // Its owner has just proved who they are: strangers can't lock this device out.
      rememberDevice(deps, c, done.email, answer);
      return answer;
    },
    verifyEmail: async ({ c, body }) => {
      const rate = await consumeAddress(deps, '/verify-email', addressOf(c), deps.config.AUTH_RATE_MAX);
      if (rate.retryAfter !== null) return tooMany(rate.retryAfter);
      const confirmed = await confirmEmail(deps, body.token, await c.get('findCaller')());
      if (confirmed === null) return refuseLink(c);
      const answer = c.json({ status: true, ...confirmed });
      if (confirmed.changed) rememberDevice(deps, c, confirmed.email, answer);
      return answer;
    },
  });
}
