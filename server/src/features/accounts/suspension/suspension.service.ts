import { PROVIDER_NAMES, signInProvider } from '@atelier/contract/accounts';
import type { WaysAnswer } from '@atelier/contract/accounts/ways';
import { and, desc, eq, inArray, like, lte, ne, sql } from 'drizzle-orm';
import type { Caller } from '../../../access.ts';
import { violates } from '../../../platform/database/constraint.ts';
import type { Tx } from '../../../platform/database/database.ts';
import type { Deps } from '../../../platform/deps.ts';
import { AppError, notFound } from '../../../platform/errors.ts';
import type { Live } from '../../../platform/live.ts';
import { authSession, passkeys, suspendedWays, twoFactor, verification } from '../accounts.identity.table.ts';
import { type MailDeps, queueNotice } from '../accounts.mail.service.ts';
import {
  deleteSessions,
  isLinked,
  lockUser,
  passwordHash,
  refuseSecondLink,
  requireLiveSignIn,
} from '../accounts.service.ts';
import { user } from '../accounts.table.ts';
import { noteActivity } from '../activity/activity.service.ts';
import { type SignInTrace, signInTrace } from '../auth/call-notes.ts';
import { listWays, moveAway, moveBack, type Way, type WayFilter } from './ways.queries.ts';

export const SUSPENSION_QUEUE = 'accounts.suspension';

/** After this time what its owner hasn't kept is deleted. */
const KEPT_FOR_DAYS = 30;
const SECONDS = KEPT_FOR_DAYS * 24 * 60 * 60;

/** Of the jobs and of open pages it only tells, so that a command beside the server can do it too. */
type SuspensionDeps = Pick<MailDeps, 'jobs'> & { live: Pick<Live, 'notify'> };

/**
 * Suspends every way into an account but its password: none works until the owner keeps it, and what was begun ends. As part of the transaction that proves who the
 * owner is; open pages and running programs hear of it at once. With `twoFactor` also the second factor. Returns how many were suspended.
 */
export async function suspendWays(
  ctx: SuspensionDeps,
  tx: Tx,
  userId: string,
  options: { twoFactor: boolean; spared?: WayFilter },
): Promise<number> {
  await lockUser(tx, userId);
  await forgetBegun(tx, userId);
  const moved = await moveAway(tx, userId, { twoFactor: options.twoFactor, spared: options.spared ?? {} });
  if (moved === 0) return 0;
  if (options.twoFactor) await noteTwoFactor(tx, userId);
  await ctx.jobs.send(tx, SUSPENSION_QUEUE, { userId }, { startAfterSeconds: SECONDS });
  await tellPages(ctx, tx, userId);
  return moved;
}

/** Ends what somebody has begun: linking an account elsewhere, adding a passkey, or a sign-in that waits for its code. */
const forgetBegun = (tx: Tx, userId: string) => tx.delete(verification).where(like(verification.value, `%${userId}%`));

/** An account asks for a second factor as long as there is one. */
const noteTwoFactor = (tx: Tx, userId: string) =>
  tx
    .update(user)
    .set({
      twoFactorEnabled: sql`exists (select from ${twoFactor} where ${twoFactor.userId} = ${userId} and ${twoFactor.verified})`,
    })
    .where(eq(user.id, userId));

async function tellPages(ctx: { live: Pick<Live, 'notify'> }, tx: Tx, userId: string): Promise<void> {
  for (const topic of ['account', 'keys', 'tools', 'shares'] as const) await ctx.live.notify(tx, userId, topic, '');
}

/**
 * The first proof of an email suspends what others may have added with it. Spared is what was added since the caller signed in, where theirs is
 * the only sign-in: nobody else can have added that. So is what opened an account that has no password, as a password would be. Returns how many
 * were suspended, of which the owner is mailed.
 */
export async function suspendAtFirstProof(
  ctx: MailDeps & SuspensionDeps,
  tx: Tx,
  userId: string,
  caller: Caller | null,
): Promise<number> {
  const signIns = await tx
    .select({ id: authSession.id, createdAt: authSession.createdAt })
    .from(authSession)
    .where(eq(authSession.userId, userId));
  const [only] = signIns.length === 1 ? signIns : [];
  const from = only !== undefined && only.id === caller?.authSessionId ? only.createdAt : null;
  const spared = { from, ids: await firstWayWithoutPassword(tx, userId) };
  const suspended = await suspendWays(ctx, tx, userId, { twoFactor: true, spared });
  if (suspended === 0) return 0;
  // A sign-in that may have added them could keep them, too.
  await tx
    .delete(authSession)
    .where(and(eq(authSession.userId, userId), ne(authSession.id, caller?.authSessionId ?? '')));
  await queueNotice(ctx, tx, userId, { kind: 'email_confirmed', suspended });
  return suspended;
}

/** The oldest way to sign in to an account without a password, by its id. Were it suspended, nobody could get in to keep it. */
async function firstWayWithoutPassword(tx: Tx, userId: string): Promise<string[]> {
  if ((await passwordHash({ db: tx }, userId)) !== null) return [];
  const signIns = (await listWays(tx, userId)).filter(({ kind }) => kind === 'provider' || kind === 'passkey');
  return signIns.slice(-1).map(({ id }) => id);
}

/** The ways into the caller's account that work, and those that are suspended. */
export async function getWays(ctx: Pick<Deps, 'db'>, { uid }: Caller): Promise<WaysAnswer> {
  const suspended = await ctx.db
    .select()
    .from(suspendedWays)
    .where(eq(suspendedWays.userId, uid))
    .orderBy(desc(suspendedWays.addedAt), suspendedWays.id);
  const shown = ({ id, kind, name, addedAt }: Way) => ({ id, kind, name, addedAt: addedAt?.toISOString() ?? null });
  return {
    ways: (await listWays(ctx.db, uid)).map(shown),
    suspended: suspended.map((way) => ({
      ...shown(way),
      deletedAt: new Date(way.suspendedAt.getTime() + SECONDS * 1000).toISOString(),
    })),
  };
}

const providerOf = ({ kind, name }: Pick<Way, 'kind' | 'name'>) =>
  signInProvider.safeParse(kind === 'provider' ? name : '').data;

function cannotReturn({ kind, name }: Pick<Way, 'kind' | 'name'>): AppError {
  const provider = providerOf({ kind, name });
  const shown = provider === undefined ? name : PROVIDER_NAMES[provider];
  const what = kind === 'two_factor' ? 'The second factor' : shown === '' ? 'One of these' : `“${shown}”`;
  return new AppError('conflict', `${what} can’t be kept: what it belongs to is gone, or another has its place.`);
}

/**
 * Lets suspended ways work again, all or none. Throws 404 for somebody else's, 409 where what one belongs to is gone or its place is taken, 401
 * when the caller was signed out meanwhile.
 */
export async function keepWays(ctx: Deps, caller: Caller, ids: readonly string[]): Promise<void> {
  const { uid } = caller;
  await ctx.db.transaction(async (tx) => {
    await requireLiveSignIn(tx, caller);
    const these = and(eq(suspendedWays.userId, uid), inArray(suspendedWays.id, [...ids]));
    const ways = await tx.delete(suspendedWays).where(these).returning();
    if (ways.length < ids.length) throw notFound('This');
    for (const way of ways) {
      if (way.kind === 'two_factor' && (await tx.$count(twoFactor, eq(twoFactor.userId, uid))) > 0) {
        throw cannotReturn(way);
      }
      const provider = providerOf(way);
      if (provider !== undefined) await refuseSecondLink({ db: tx }, uid, provider);
      const isBack = await moveBack(tx, way).catch((error: unknown) => {
        if (PLACES.some((constraint) => violates(error, constraint))) throw cannotReturn(way);
        throw error;
      });
      if (!isBack) throw cannotReturn(way);
    }
    await noteTwoFactor(tx, uid);
    await tellPages(ctx, tx, uid);
  });
  await noteActivity(ctx, uid, 'ways_kept', { count: ids.length });
}

/** What may have happened meanwhile: the account elsewhere or the passkey opens another account, the session was deleted. */
const PLACES = [
  'account_provider',
  'account_user_provider',
  'passkeys_credential_id_unique',
  'shares_user_id_session_id_chat_sessions_user_id_id_fk',
];

/** Deletes what nobody has kept for 30 days. */
export async function endSuspension(ctx: Pick<Deps, 'db'>, { userId }: { userId: string }): Promise<void> {
  const old = lte(suspendedWays.suspendedAt, sql`now() - make_interval(days => ${KEPT_FOR_DAYS})`);
  await ctx.db.delete(suspendedWays).where(and(eq(suspendedWays.userId, userId), old));
}

/**
 * Does a sign-in and notes what it came to. Ends it, and returns null, where what proved it was replaced, suspended or removed after it was
 * checked. The lock waits for a change that is about to be committed; a later one finds what the sign-in has stored and ends it itself.
 */
export async function signInUnlessOutdated(
  ctx: Pick<Deps, 'db'>,
  trace: SignInTrace,
  signIn: () => Promise<Response>,
): Promise<Response | null> {
  const response = await signInTrace.run(trace, signIn);
  const { userId, sessionId = '' } = trace;
  if (userId === undefined) return response;
  const isOutdated = await ctx.db.transaction(async (tx) => {
    await lockUser(tx, userId);
    if (await stillProves(tx, userId, trace)) return false;
    await deleteSessions({ db: tx }, [sessionId]);
    await forgetBegun(tx, userId);
    return true;
  });
  return isOutdated ? null : response;
}

async function stillProves(tx: Tx, userId: string, { passkey, provider, passwordHash: checked }: SignInTrace) {
  if (provider !== undefined) return isLinked({ db: tx }, userId, provider);
  if (passkey === undefined) return (await passwordHash({ db: tx }, userId)) === checked;
  return (await tx.$count(passkeys, and(eq(passkeys.userId, userId), eq(passkeys.credentialID, passkey)))) > 0;
}

/** Whose sign-in waits for its code; null without such a sign-in. */
export async function userBehindChallenge(ctx: Pick<Deps, 'db'>, challenge: string): Promise<string | null> {
  const waiting = ctx.db.select({ userId: verification.value }).from(verification);
  const [row] = await waiting.where(eq(verification.identifier, challenge));
  return row?.userId ?? null;
}
