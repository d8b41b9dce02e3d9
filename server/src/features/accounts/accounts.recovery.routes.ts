import type { PasswordReset } from '@atelier/contract/sign-in/ways';
import { type Context, Hono } from 'hono';
import { type AppEnv, requires } from '../../access.ts';
import type { Deps } from '../../platform/deps.ts';
import { confirmBody, passwordRefusal, requestResetBody, resetBody } from './accounts.credentials.ts';
import { rememberDevice } from './accounts.device.ts';
import { confirmEmail } from './accounts.email.service.ts';
import { type Identity, refuse, takesBody, tooMany } from './accounts.identity.ts';
import { consumeAddress } from './accounts.limits.service.ts';
import { requestReset, resetPassword } from './accounts.passwords.service.ts';
import { noteAttempt } from './activity/activity.service.ts';

/** better-auth’s own answer, the same for every address. */
const REQUESTED = {
  status: true,
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
  return new Hono<AppEnv>()
    .post('/request-password-reset', requires('public'), takesBody(requestResetBody), async (c) => {
      const rate = await consumeAddress(deps, '/request-password-reset', addressOf(c), deps.config.AUTH_RATE_MAX);
      if (rate.retryAfter !== null) return tooMany(rate.retryAfter);
      const { email } = c.req.valid('json');
      await requestReset(deps, email);
      noteAttempt(deps, { email }, 'reset_asked');
      return c.json(REQUESTED);
    })
    .post('/reset-password', requires('public'), takesBody(resetBody), async (c) => {
      const body = c.req.valid('json');
      const refusal = passwordRefusal(deps.config, body.newPassword, 'newPassword');
      if (refusal !== null) return refuse(c, 400, refusal);
      const rate = await consumeAddress(deps, '/reset-password', addressOf(c), deps.config.AUTH_RATE_MAX);
      if (rate.retryAfter !== null) return tooMany(rate.retryAfter);
      const done = await resetPassword(deps, body);
      if (done === null) return refuseLink(c);
      const answer = c.json<PasswordReset>({ status: true, suspended: done.suspended });
      // Its owner has just proved who they are: strangers can't lock this device out.
      rememberDevice(deps, c, done.email, answer);
      return answer;
    })
    .post('/verify-email', requires('public'), takesBody(confirmBody), async (c) => {
      const rate = await consumeAddress(deps, '/verify-email', addressOf(c), deps.config.AUTH_RATE_MAX);
      if (rate.retryAfter !== null) return tooMany(rate.retryAfter);
      const confirmed = await confirmEmail(deps, c.req.valid('json').token, await c.get('findCaller')());
      if (confirmed === null) return refuseLink(c);
      const answer = c.json({ status: true, ...confirmed });
      if (confirmed.changed) rememberDevice(deps, c, confirmed.email, answer);
      return answer;
    });
}
