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
import { type Identity, refuse, takesBody } from './accounts.identity.ts';
import { changePassword, getIdentityUser } from './accounts.passwords.service.ts';
import { listDevices, signOutDevice } from './accounts.service.ts';
import { noteActivity } from './activity/activity.service.ts';
import { confirmOwner } from './ways-in/confirm-owner.service.ts';

/** What signed-in people change about their account. */
export function settingsRoutes(deps: Deps, { forward }: Identity) {
  return new Hono<AppEnv>()
    .post('/update-user', requires('user'), takesBody(updateUserBody), async (c) => {
      const response = await forward(c, c.req.valid('json'));
      if (response.ok) await announce(deps, c.get('caller').uid);
      return response;
    })
    .post('/change-password', requires('user'), takesBody(changePasswordBody), async (c) => {
      const body = c.req.valid('json');
      const { displayName: name, email } = c.get('caller');
      const refusal = passwordRefusal(deps.config, body.newPassword, 'newPassword', { name, email });
      if (refusal !== null) return refuse(c, 400, refusal);
      const caller = c.get('caller');
      await changePassword(deps, caller, body);
      return c.json({ token: null, user: await getIdentityUser(deps, caller.uid) });
    })
    .post('/change-email', requires('user'), takesBody(changeEmailBody), async (c) => {
      const body = c.req.valid('json');
      const { changed } = await changeEmail(deps, c.get('caller'), body);
      const answer = c.json({ status: true, changed });
      // Devices are known by email: this one would be a stranger to the new one.
      if (changed) rememberDevice(deps, c, body.newEmail, answer);
      return answer;
    })
    .post('/send-verification-email', requires('user'), async (c) => {
      await askToVerifyAgain(deps, c.get('caller'));
      return c.json({ status: true });
    })
    .get('/list-sessions', requires('user'), async (c) => c.json(await listDevices(deps, c.get('caller').uid)))
    .post('/revoke-session', requires('user'), takesBody(revokeSessionBody), async (c) => {
      const { uid } = c.get('caller');
      await confirmOwner(deps, c.get('caller'));
      if (await signOutDevice(deps, uid, c.req.valid('json').token)) await noteActivity(deps, uid, 'device_signed_out');
      return c.json({ status: true });
    });
}
