import { passkeyCalls } from '@atelier/contract/accounts/ways';
import { z } from 'zod';
import type { Deps } from '../../../platform/deps.ts';
import { loadOnce } from '../../../platform/retry.ts';
import { type Auth, createAuth } from '../accounts.auth.ts';
import { type Identity, serveIdentity } from '../accounts.identity.ts';
import { noteAttempt } from '../activity/activity.service.ts';
import type { SignInTrace } from '../auth/call-notes.ts';
import { signInUnlessOutdated } from '../suspension/outdated-sign-in.service.ts';
import { confirmOwner } from './confirm-owner.service.ts';
import { noteTrace, spend } from './note-sign-in.ts';
import { admitPasskey, deletePasskey, listPasskeys, refuseKnownPasskey, renamePasskey } from './passkeys.service.ts';

/** Their library is large, and most processes see no passkey. */
export function passkeyHandler(deps: Deps): Auth['handler'] {
  const open = loadOnce(async () => {
    const { passkeysPlugin } = await import('./passkeys.ts');
    return createAuth(deps, [passkeysPlugin()]);
  });
  return async (request) => (await open()).handler(request);
}

/** better-auth’s own answer. */
const UNKNOWN_PASSKEY = { code: 'PASSKEY_NOT_FOUND', message: 'Passkey not found' };

/** Adding, using, naming and removing passkeys. */
export function passkeyRoutes(deps: Deps, identity: Identity) {
  const { forward } = identity;
  return serveIdentity(passkeyCalls, {
    list: async ({ caller }) => ({ passkeys: await listPasskeys(deps, caller.uid) }),
    begin: async ({ c, caller, body }) => {
      await confirmOwner(deps, caller, body.password);
      return forward(c, undefined, { method: 'GET' });
    },
    add: async ({ c, caller, body }) => {
      await confirmOwner(deps, caller);
      await refuseKnownPasskey(deps, body.response.id);
      const made = await forward(c, body);
      if (!made.ok) return made;
      const { id } = z.object({ id: z.string() }).parse(await made.json());
      await admitPasskey(deps, caller, id);
      return c.json({ passkey: (await listPasskeys(deps, caller.uid)).find((one) => one.id === id) });
    },
    ask: async ({ c }) => (await spend(deps, identity, c, '/passkey')) ?? forward(c, undefined, { method: 'GET' }),
    signIn: async ({ c, body }) => {
      const wait = await spend(deps, identity, c, '/passkey/verify');
      if (wait !== null) return wait;
      const trace: SignInTrace = { passkey: body.response.id };
      const signedIn = await signInUnlessOutdated(deps, trace, () => forward(c, body));
      const answer = signedIn ?? c.json(UNKNOWN_PASSKEY, 401);
      if (answer.ok) await noteTrace(deps, identity, c, { trace, answer, way: 'passkey' });
      else noteAttempt(deps, { credentialId: body.response.id }, 'sign_in_failed', { about: 'passkey' });
      return answer;
    },
    rename: async ({ caller, body }) => ({ passkey: await renamePasskey(deps, caller, body) }),
    remove: async ({ caller, body }) => {
      await confirmOwner(deps, caller);
      await deletePasskey(deps, caller, body.id);
      return { status: true };
    },
  });
}
