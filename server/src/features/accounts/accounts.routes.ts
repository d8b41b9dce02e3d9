import { accountCalls } from '@atelier/contract/accounts';
import { activityCalls } from '@atelier/contract/accounts/activity';
import { DOOR_REFUSALS, WAITING, type WaitsFor } from '@atelier/contract/accounts/door';
import { signInCalls } from '@atelier/contract/accounts/sign-in';
import { settingsCalls } from '@atelier/contract/accounts/ways';
import { type Context, Hono } from 'hono';
import { z } from 'zod';
import type { AppEnv } from '../../access.ts';
import type { Deps } from '../../platform/deps.ts';
import { refuseForeignOrigin, requireOwnOrigin } from '../../platform/http/origin.ts';
import { limitBody } from '../../platform/http/validate.ts';
import { hashPassword } from '../../platform/password.ts';
import { serve } from '../../serve.ts';
import type { Auth } from './accounts.auth.ts';
import { isGuessedFirst, nameRefusal, passwordRefusal, requirePasswords, shownRules } from './accounts.credentials.ts';
import { findDevice, noteSignIn, rememberDevice } from './accounts.device.ts';
import { announce, askToVerifyAgain, askToVerifyAtSignIn, changeEmail } from './accounts.email.service.ts';
import { createIdentity, type Identity, refuse, serveIdentity, tooMany } from './accounts.identity.ts';
import { mailRefusal } from './accounts.mail.service.ts';
import { getMe } from './accounts.me.service.ts';
import { changePassword, getIdentityUser } from './accounts.passwords.service.ts';
import { recoveryRoutes } from './accounts.recovery.routes.ts';
import { deleteSessions, findUserId, listDevices, signOutDevice } from './accounts.service.ts';
import { consumeSignIn, forgiveSignIns } from './accounts.sign-in-limits.service.ts';
import { twoFactorRoutes } from './accounts.two-factor.routes.ts';
import { listActivity, noteActivity, noteAttempt, noteTraced } from './activity/activity.service.ts';
import { preparedHash, type SignInTrace, signInTrace } from './auth/call-notes.ts';
import { invitationRoutes } from './door/door.routes.ts';
import { countAtDoor, describeDoor, refusalAtDoor } from './door/door.service.ts';
import { signInUnlessOutdated } from './suspension/suspension.service.ts';
import { confirmOwner } from './ways-in/confirm-owner.service.ts';
import { spend } from './ways-in/note-sign-in.ts';
import { waysInRoutes } from './ways-in/ways-in.routes.ts';

/** A name, an email and the longest password, each with its longest escape. */
const CREDENTIALS_BYTES = 16 * 1024;
/** Pages that the browser fetched or drew ahead for the person who signs out. */
const DRAWN_AHEAD = '"prefetchCache", "prerenderCache"';
/**
 * Answers, and whole pages for its Back button. Takes a browser seconds, for which it holds the answer back, so it has a call of its own that
 * nobody waits for. Never "storage", which has the drafts of other accounts and the colour scheme, nor "cookies", which has the known device.
 */
const CACHE_ONLY = '"cache"';
/** better-auth’s own answer. */
const WRONG_PASSWORD = { code: 'INVALID_EMAIL_OR_PASSWORD', message: 'Invalid email or password' };
const EMAIL_IN_USE = {
  code: 'USER_ALREADY_EXISTS_USE_ANOTHER_EMAIL',
  message: 'User already exists. Use another email.',
};

const MAILED_AGAIN = {
  code: WAITING.confirmation.code,
  message:
    'Your account is ready once your email address is confirmed. We have just sent you another mail: follow the link in it.',
};

/** Of the identity provider, only the calls of `authApi` can be reached. */
export function accountsRoutes(deps: Deps, auth: Auth) {
  const api = new Hono<AppEnv>()
    .route('/', serve(accountCalls, { get: ({ caller }) => getMe(deps, caller) }))
    .route('/', invitationRoutes(deps))
    .route('/', serve(activityCalls, { list: ({ caller, query }) => listActivity(deps, caller, query) }));
  const identity = createIdentity(deps, auth);
  const authApi = new Hono<AppEnv>()
    .use('/api/auth/*', limitBody(CREDENTIALS_BYTES), requireOwnOrigin(deps), refuseForeignOrigin(deps))
    .route('/', signInRoutes(deps, identity))
    .route('/', recoveryRoutes(deps, identity))
    .route('/', settingsRoutes(deps, identity))
    .route('/', twoFactorRoutes(deps, identity))
    .route('/', waysInRoutes(deps, identity));
  return { api, authApi };
}

/** Signing up, in and out, and what the forms for it ask. */
function signInRoutes(deps: Deps, identity: Identity) {
  const { forward } = identity;
  return serveIdentity(signInCalls, {
    ended: async ({ c }) => ({ reason: (await c.get('wasDisabled')()) ? ('disabled' as const) : null }),
    passwordRules: () => shownRules(deps.config),
    checkPassword: async ({ c, body: { password, ...owner } }) => {
      const caller = await c.get('findCaller')();
      const person = caller === null ? owner : { name: caller.displayName, email: caller.email };
      return { common: isGuessedFirst(password, person) };
    },
    recovery: () => {
      const noMailBecause = mailRefusal(deps);
      return { byMail: noMailBecause === null, noMailBecause };
    },
    get: async ({ c }) => {
      // First: what the page reads after this answer is newer.
      const position = deps.live.position();
      const response = await forward(c);
      if (!response.ok) return response;
      const signIn = (await response.json()) as object | null;
      // better-auth would clear the cookie: from it the page learns that its account was disabled, and a late answer would clear a newer one.
      return signIn === null ? c.json(null) : Response.json({ ...signIn, position }, response);
    },
    signOut: async ({ c }) => {
      const caller = await c.get('findCaller')();
      const response = await forward(c);
      response.headers.set('Clear-Site-Data', DRAWN_AHEAD);
      if (caller !== null && response.ok) await noteActivity(deps, caller.uid, 'signed_out');
      return response;
    },
    clearBrowser: ({ c }) => c.header('Clear-Site-Data', CACHE_ONLY),
    door: async ({ c, body: { invitation } }) =>
      (await spend(deps, identity, c, '/door')) ?? describeDoor(deps, invitation),
    signUp: ({ c, body }) => signUp(deps, identity, c, body),
    signIn: ({ c, body }) => signIn(deps, identity, c, body),
  });
}

async function signUp(
  deps: Deps,
  { addressOf, forward }: Identity,
  c: Context<AppEnv>,
  { invitation, ...body }: { name: string; email: string; password: string; invitation?: string | undefined },
): Promise<Response> {
  requirePasswords(deps.config);
  const refusal = nameRefusal(body.name) ?? passwordRefusal(deps.config, body.password, 'password', body);
  if (refusal !== null) return refuse(c, 400, refusal);
  const attempt = await countAtDoor(deps, { path: '/sign-up/email', address: addressOf(c), invitation });
  if (attempt.retryAfter !== null) return tooMany(attempt.retryAfter);
  const closed = await refusalAtDoor(deps, { email: body.email, emailVerified: null, invitation });
  if (closed !== null) return refuse(c, 403, { code: closed, message: DOOR_REFUSALS[closed] });
  // Before hashing, which is expensive. The specification asks for this sentence, so it reveals nothing more.
  if ((await findUserId(deps, body.email)) !== null) return refuse(c, 422, EMAIL_IN_USE);
  const hash = await hashPassword(body.password, deps.passwordCost);
  const trace: SignInTrace = { invitation };
  const response = await signInTrace.run(trace, () => preparedHash.run(hash, () => forward(c, body)));
  if (await lostRace(deps, response, body.email)) return refuse(c, 422, EMAIL_IN_USE);
  if (!response.ok) return response;
  await noteTraced(deps, trace, 'account_opened', 'password');
  const waitingFor = trace.admission?.waitingFor ?? null;
  if (waitingFor !== null) return openWaiting(deps, c, { trace, response, waitingFor });
  rememberDevice(deps, c, body.email, response);
  return response;
}

/** The answer to a sign-up that waits: nobody is signed in by it. */
async function openWaiting(
  deps: Deps,
  c: Context<AppEnv>,
  { trace, response, waitingFor }: { trace: SignInTrace; response: Response; waitingFor: WaitsFor },
): Promise<Response> {
  if (trace.sessionId !== undefined) await deleteSessions(deps, [trace.sessionId]);
  const { user } = z.object({ user: z.looseObject({}) }).parse(await response.json());
  return c.json({ token: null, user, waitingFor });
}

async function signIn(
  deps: Deps,
  { addressOf, forward }: Identity,
  c: Context<AppEnv>,
  body: { email: string; password: string },
): Promise<Response> {
  requirePasswords(deps.config);
  const { email } = body;
  const attempt = { email, address: addressOf(c), device: findDevice(deps, c, email) };
  const { retryAfter } = await consumeSignIn(deps, attempt, deps.config.AUTH_RATE_MAX);
  if (retryAfter !== null) {
    noteAttempt(deps, { email }, 'sign_in_slowed', { about: 'password' });
    return tooMany(retryAfter);
  }
  const trace: SignInTrace = {};
  const signedIn = await signInUnlessOutdated(deps, trace, () => forward(c, body));
  const response = signedIn ?? c.json(WRONG_PASSWORD, 401);
  await noteAnswer(deps, { email, trace, response });
  const isUnconfirmed = !response.ok && (await codeOf(response)) === WAITING.confirmation.code;
  if (isUnconfirmed && (await askToVerifyAtSignIn(deps, email))) return refuse(c, 403, MAILED_AGAIN);
  if (response.ok) await forgiveSignIns(deps, attempt);
  // Without its second factor a device isn't known yet.
  if (response.ok && !(await asksForCode(response)))
    await noteSignIn(deps, c, { email, address: attempt.address }, response);
  return response;
}

async function noteAnswer(deps: Deps, at: { email: string; trace: SignInTrace; response: Response }): Promise<void> {
  const { email, trace, response } = at;
  if (response.ok) return noteTraced(deps, trace, (await asksForCode(response)) ? 'code_asked' : 'sign_in', 'password');
  noteAttempt(deps, { email }, 'sign_in_failed', { about: await refusedFor(response) });
}

/** What the right password didn't open; `password` where it was the wrong one. */
async function refusedFor(response: Response): Promise<'disabled' | 'waiting' | 'password'> {
  if (response.status !== 403) return 'password';
  const code = await codeOf(response);
  return Object.values(WAITING).some((waiting) => waiting.code === code) ? 'waiting' : 'disabled';
}

/** The code of a refusal. */
const codeOf = async (response: Response) =>
  z.object({ code: z.string().optional() }).parse(await response.clone().json()).code;

const asksForCode = async (response: Response) =>
  z.object({ twoFactorRedirect: z.literal(true) }).safeParse(await response.clone().json()).success;

/** When two sign-ups with one email run at once, the database refuses the second, and better-auth only reports a failure. */
async function lostRace(deps: Deps, response: Response, email: string): Promise<boolean> {
  if (response.status !== 422 || (await codeOf(response)) !== 'FAILED_TO_CREATE_USER') return false;
  if ((await findUserId(deps, email)) === null) throw new Error('the account could not be created');
  return true;
}

/** What signed-in people change about their account. */
const settingsRoutes = (deps: Deps, { forward }: Identity) =>
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
