import type { Passkey } from '@atelier/contract/accounts';
import { Hono } from 'hono';
import { z } from 'zod';
import { type AppEnv, requires } from '../../../access.ts';
import type { Deps } from '../../../platform/deps.ts';
import { loadOnce } from '../../../platform/retry.ts';
import { type Auth, createAuth } from '../accounts.auth.ts';
import { type Identity, takesBody } from '../accounts.identity.ts';
import { noteAttempt } from '../activity/activity.service.ts';
import type { SignInTrace } from '../auth/call-notes.ts';
import { signInUnlessOutdated } from '../suspension/outdated-sign-in.service.ts';
import { confirmOwner } from './confirm-owner.service.ts';
import { noteTrace, spend } from './note-sign-in.ts';
import { admitPasskey, deletePasskey, listPasskeys, refuseKnownPasskey, renamePasskey } from './passkeys.service.ts';
import {
  beginPasskeyBody,
  deletePasskeyBody,
  finishPasskeyBody,
  renamePasskeyBody,
  usePasskeyBody,
} from './ways-in.bodies.ts';

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
  return new Hono<AppEnv>()
    .get('/list-user-passkeys', requires('user'), async (c) =>
      c.json<{ passkeys: Passkey[] }>({ passkeys: await listPasskeys(deps, c.get('caller').uid) }),
    )
    .post('/generate-register-options', requires('user'), takesBody(beginPasskeyBody), async (c) => {
      await confirmOwner(deps, c.get('caller'), c.req.valid('json').password);
      return forward(c, undefined, { method: 'GET' });
    })
    .post('/verify-registration', requires('user'), takesBody(finishPasskeyBody), async (c) => {
      const body = c.req.valid('json');
      await confirmOwner(deps, c.get('caller'));
      await refuseKnownPasskey(deps, body.response.id);
      const made = await forward(c, body);
      if (!made.ok) return made;
      const { id } = z.object({ id: z.string() }).parse(await made.json());
      await admitPasskey(deps, c.get('caller'), id);
      const passkey = (await listPasskeys(deps, c.get('caller').uid)).find((one) => one.id === id);
      return c.json({ passkey });
    })
    .post('/generate-authenticate-options', requires('public'), async (c) => {
      return (await spend(deps, identity, c, '/passkey')) ?? forward(c, undefined, { method: 'GET' });
    })
    .post('/verify-authentication', requires('public'), takesBody(usePasskeyBody), async (c) => {
      const wait = await spend(deps, identity, c, '/passkey/verify');
      if (wait !== null) return wait;
      const body = c.req.valid('json');
      const trace: SignInTrace = { passkey: body.response.id };
      const signedIn = await signInUnlessOutdated(deps, trace, () => forward(c, body));
      const answer = signedIn ?? c.json(UNKNOWN_PASSKEY, 401);
      if (answer.ok) await noteTrace(deps, identity, c, { trace, answer, way: 'passkey' });
      else noteAttempt(deps, { credentialId: body.response.id }, 'sign_in_failed', { about: 'passkey' });
      return answer;
    })
    .post('/update-passkey', requires('user'), takesBody(renamePasskeyBody), async (c) => {
      return c.json({ passkey: await renamePasskey(deps, c.get('caller'), c.req.valid('json')) });
    })
    .post('/delete-passkey', requires('user'), takesBody(deletePasskeyBody), async (c) => {
      await confirmOwner(deps, c.get('caller'));
      await deletePasskey(deps, c.get('caller'), c.req.valid('json').id);
      return c.json({ status: true });
    });
}
