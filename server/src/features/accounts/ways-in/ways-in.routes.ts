import { passkeyCalls, wayCalls } from '@atelier/contract/accounts/ways';
import { type Context, Hono } from 'hono';
import { z } from 'zod';
import type { AppEnv } from '../../../access.ts';
import type { Deps } from '../../../platform/deps.ts';
import { AppError } from '../../../platform/errors.ts';
import { loadOnce } from '../../../platform/retry.ts';
import { type Auth, createAuth } from '../accounts.auth.ts';
import { passwordRefusal, requirePasswords } from '../accounts.credentials.ts';
import { createIdentity, type Identity, refuse, serveIdentity } from '../accounts.identity.ts';
import { forgiveConfirmation } from '../accounts.limits.service.ts';
import { countConfirmation } from '../accounts.passwords.service.ts';
import { noteAttempt } from '../activity/activity.service.ts';
import type { SignInTrace } from '../auth/call-notes.ts';
import { getWays, keepWays, signInUnlessOutdated } from '../suspension/suspension.service.ts';
import { confirmCode } from './confirm-code.ts';
import { confirmOwner, prove, requireOwnPasskey } from './confirm-owner.service.ts';
import { noteTrace, spend } from './note-sign-in.ts';
import {
  admitPasskey,
  deletePasskey,
  listPasskeys,
  refuseDuplicatePasskey,
  renamePasskey,
} from './passkeys.service.ts';
import { providerRoutes } from './provider.routes.ts';
import { setFirstPassword } from './ways-in.service.ts';

/** Signing in with an account elsewhere or with a passkey, and which of these an account has. */
export function waysInRoutes(deps: Deps, identity: Identity) {
  const passkeys = createIdentity(deps, { handler: passkeyHandler(deps) });
  const routes = serveIdentity(wayCalls, {
    // For what `confirmOwner` asks. Wrong tries of every kind count together.
    confirmOwner: async ({ c, caller, body: { password, code, response } }) => {
      if (response !== undefined) await confirmPasskey(deps, passkeys, c, response);
      else if (code !== undefined) await confirmCode(deps, identity, c, code);
      else await confirmOwner(deps, caller, password);
      await prove(deps, caller);
      return { status: true };
    },
    list: ({ caller }) => getWays(deps, caller),
    keep: async ({ caller, body: { ids, password } }) => {
      await confirmOwner(deps, caller, password);
      await keepWays(deps, caller, ids);
      return getWays(deps, caller);
    },
    setPassword: async ({ c, caller, body: { newPassword } }) => {
      requirePasswords(deps.config);
      const { displayName: name, email } = caller;
      const refusal = passwordRefusal(deps.config, newPassword, 'newPassword', { name, email });
      if (refusal !== null) return refuse(c, 400, refusal);
      await confirmOwner(deps, caller);
      await setFirstPassword(deps, caller, newPassword);
      return { status: true };
    },
  });
  return new Hono<AppEnv>()
    .route('/', providerRoutes(deps, identity))
    .route('/', passkeyRoutes(deps, passkeys))
    .route('/', routes);
}

async function confirmPasskey(
  deps: Deps,
  { forwardKeeping }: Identity,
  c: Context<AppEnv>,
  response: { id: string },
): Promise<void> {
  const caller = c.get('caller');
  await countConfirmation(deps, caller.uid);
  await requireOwnPasskey(deps, caller, response.id);
  if (!(await forwardKeeping(c, { response }, '/api/auth/passkey/verify-authentication')).ok) {
    throw new AppError('forbidden', 'The passkey could not be checked. Please try again.');
  }
  await forgiveConfirmation(deps, caller.uid);
}

/** Their library is large, and most processes see no passkey. */
function passkeyHandler(deps: Deps): Auth['handler'] {
  const open = loadOnce(async () => {
    const { passkeysPlugin } = await import('./passkeys.ts');
    return createAuth(deps, [passkeysPlugin()]);
  });
  return async (request) => (await open()).handler(request);
}

/** better-auth’s own answer. */
const UNKNOWN_PASSKEY = { code: 'PASSKEY_NOT_FOUND', message: 'Passkey not found' };

function passkeyRoutes(deps: Deps, identity: Identity) {
  const { forward } = identity;
  return serveIdentity(passkeyCalls, {
    list: async ({ caller }) => ({ passkeys: await listPasskeys(deps, caller.uid) }),
    begin: async ({ c, caller, body }) => {
      await confirmOwner(deps, caller, body.password);
      return forward(c, undefined, { method: 'GET' });
    },
    add: async ({ c, caller, body }) => {
      await confirmOwner(deps, caller);
      await refuseDuplicatePasskey(deps, body.response.id);
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
