import { settingsCalls } from '@atelier/contract/accounts/ways';
import type { Deps } from '../../platform/deps.ts';
import { nameRefusal, passwordRefusal } from './accounts.credentials.ts';
import { rememberDevice } from './accounts.device.ts';
import { announce, askToVerifyAgain, changeEmail } from './accounts.email.service.ts';
import { type Identity, refuse, serveIdentity } from './accounts.identity.ts';
import { changePassword, getIdentityUser } from './accounts.passwords.service.ts';
import { listDevices, signOutDevice } from './accounts.service.ts';
import { noteActivity } from './activity/activity.service.ts';
import { confirmOwner } from './ways-in/confirm-owner.service.ts';

/** What signed-in people change about their account. */
export const settingsRoutes = (deps: Deps, { forward }: Identity) =>
  serveIdentity(settingsCalls, {
    updateUser: async ({ c, caller, body }) => {
      const refusal = nameRefusal(body.name);
      if (refusal !== null) return refuse(c, 400, refusal);
      const response = await forward(c, body);
      if (response.ok) await announce(deps, caller.uid);
      return response;
    },
    changePassword: async ({ c, caller, body }) => {
      const { displayName: name, email } = caller;
      const refusal = passwordRefusal(deps.config, body.newPassword, 'newPassword', { name, email });
      if (refusal !== null) return refuse(c, 400, refusal);
      await changePassword(deps, caller, body);
      return c.json({ token: null, user: await getIdentityUser(deps, caller.uid) });
    },
    changeEmail: async ({ c, caller, body }) => {
      const { changed } = await changeEmail(deps, caller, body);
      const answer = c.json({ status: true, changed });
      // Devices are known by email: this one would be a stranger to the new one.
      if (changed) rememberDevice(deps, c, body.newEmail, answer);
      return answer;
    },
    mailAgain: async ({ caller }) => {
      await askToVerifyAgain(deps, caller);
      return { status: true };
    },
    devices: async ({ c, caller }) => c.json(await listDevices(deps, caller.uid)),
    signOutDevice: async ({ caller, body }) => {
      await confirmOwner(deps, caller);
      if (await signOutDevice(deps, caller.uid, body.token)) {
        await noteActivity(deps, caller.uid, 'device_signed_out');
      }
      return { status: true };
    },
  });
