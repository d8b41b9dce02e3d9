import { Hono } from 'hono';
import { type AppEnv, requires } from '../../access.ts';
import type { Deps } from '../../platform/deps.ts';
import {
  changeEmailBody,
  changePasswordBody,
  passwordRefusal,
  revokeSessionBody,
  updateUserBody,
} from './accounts.credentials.ts';
import { rememberDevice } from './accounts.device.ts';
import { announce, askToVerifyAgain, changeEmail } from './accounts.email.service.ts';
import { type Identity, readBody, refuse } from './accounts.identity.ts';
import { changePassword, getIdentityUser } from './accounts.passwords.service.ts';

/** What signed-in people change about their account. */
export function settingsRoutes(deps: Deps, { forward }: Identity) {
  return new Hono<AppEnv>()
    .post('/update-user', requires('user'), async (c) => {
      const body = await readBody(c, updateUserBody);
      if (!body.success) return refuse(c, 400, body.refusal);
      const response = await forward(c, body.data);
      if (response.ok) await announce(deps, c.get('caller').uid);
      return response;
    })
    .post('/change-password', requires('user'), async (c) => {
      const body = await readBody(c, changePasswordBody);
      if (!body.success) return refuse(c, 400, body.refusal);
      const refusal = passwordRefusal(deps.config, body.data.newPassword, 'newPassword');
      if (refusal !== null) return refuse(c, 400, refusal);
      const caller = c.get('caller');
      await changePassword(deps, caller, body.data);
      return c.json({ token: null, user: await getIdentityUser(deps, caller.uid) });
    })
    .post('/change-email', requires('user'), async (c) => {
      const body = await readBody(c, changeEmailBody);
      if (!body.success) return refuse(c, 400, body.refusal);
      const { changed } = await changeEmail(deps, c.get('caller'), body.data);
      const answer = c.json({ status: true, changed });
      // Devices are known by email: this one would be a stranger to the new one.
      if (changed) rememberDevice(deps, c, body.data.newEmail, answer);
      return answer;
    })
    .post('/send-verification-email', requires('user'), async (c) => {
      await askToVerifyAgain(deps, c.get('caller'));
      return c.json({ status: true });
    })
    .get('/list-sessions', requires('user'), (c) => forward(c))
    .post('/revoke-session', requires('user'), async (c) => {
      const body = await readBody(c, revokeSessionBody);
      return body.success ? forward(c, body.data) : refuse(c, 400, body.refusal);
    });
}
