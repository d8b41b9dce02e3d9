import { PROVIDER_NAMES, type SignInProvider } from '@atelier/contract/accounts';
import { SENTENCES } from '@atelier/contract/errors';
import { and, desc, eq, gt, inArray, lte, sql } from 'drizzle-orm';
import type { Caller } from '../../access.ts';
import type { Db, Tx } from '../../platform/database/database.ts';
import type { Deps } from '../../platform/deps.ts';
import { AppError } from '../../platform/errors.ts';
import { authAccount, authSession } from './accounts.identity.table.ts';
import { profiles, usage, user } from './accounts.table.ts';

/** Whether an account is not disabled, and doesn't wait to be let in. */
export const mayEnter = sql`(${user.waitingFor} is null and (not ${user.banned} or coalesce(${user.banExpires} <= now(), false)))`;

/** Creates a new user's profile and usage, inside the transaction that creates the user. */
export async function createUserDocument(db: Db, userId: string): Promise<void> {
  await db.insert(profiles).values({ userId }).onConflictDoNothing();
  await db.insert(usage).values({ userId }).onConflictDoNothing();
}

/** Records the time of a sign-in, and deletes the user's expired sessions. */
export async function recordSignIn(ctx: Pick<Deps, 'db'>, userId: string): Promise<void> {
  await ctx.db.update(user).set({ lastSignInAt: sql`now()` }).where(eq(user.id, userId));
  await ctx.db.delete(authSession).where(and(eq(authSession.userId, userId), lte(authSession.expiresAt, sql`now()`)));
}

/** Deletes sessions by their ids. */
export async function deleteSessions(ctx: Pick<Deps, 'db'>, ids: string[]): Promise<void> {
  if (ids.length > 0) await ctx.db.delete(authSession).where(inArray(authSession.id, ids));
}

/**
 * Where a person is signed in, the latest first. `token` names a sign-in to sign it out, as better-auth's calls do, but opens nothing: it is
 * the id, so that whoever reads the list can't become another device.
 */
export function listDevices(ctx: Pick<Deps, 'db'>, userId: string) {
  const { id, expiresAt, createdAt, updatedAt, ipAddress, userAgent } = authSession;
  return ctx.db
    .select({ id, token: id, userId: authSession.userId, expiresAt, createdAt, updatedAt, ipAddress, userAgent })
    .from(authSession)
    .where(and(eq(authSession.userId, userId), gt(authSession.expiresAt, sql`now()`)))
    .orderBy(desc(authSession.createdAt));
}

/** Signs out one device of a person's; somebody else's stays. Returns whether there was one. */
export async function signOutDevice(ctx: Pick<Deps, 'db'>, userId: string, id: string): Promise<boolean> {
  const own = and(eq(authSession.userId, userId), eq(authSession.id, id));
  return (await ctx.db.delete(authSession).where(own).returning({ id: authSession.id })).length > 0;
}

/** The id of the account with this email, ignoring case; null when there is none. */
export async function findUserId(ctx: Pick<Deps, 'db'>, email: string): Promise<string | null> {
  const [row] = await ctx.db.select({ id: user.id }).from(user).where(eq(user.email, email.trim().toLowerCase()));
  return row?.id ?? null;
}

/** The ids of all accounts with a confirmed email of a domain, in portions. */
export async function* listConfirmedOf(ctx: Pick<Deps, 'db'>, domain: string): AsyncGenerator<string> {
  const ofDomain = and(
    user.emailVerified,
    eq(sql`substring(${user.email} from '@[^@]*$')`, `@${domain.toLowerCase().replace(/^@/u, '')}`),
  );
  for (let after = ''; ; ) {
    const rows = await ctx.db
      .select({ id: user.id })
      .from(user)
      .where(and(ofDomain, gt(user.id, after)))
      .orderBy(user.id)
      .limit(500);
    yield* rows.map(({ id }) => id);
    const last = rows.at(-1);
    if (last === undefined) return;
    after = last.id;
  }
}

/** The email of each of these accounts, by id. */
export async function userNames(ctx: Pick<Deps, 'db'>, ids: string[]): Promise<Map<string, string>> {
  const rows = await ctx.db.select({ id: user.id, email: user.email }).from(user).where(inArray(user.id, ids));
  return new Map(rows.map(({ id, email }) => [id, email]));
}

/** Whether an account asks for a second factor. */
export async function hasTwoFactor(ctx: Pick<Deps, 'db'>, userId: string): Promise<boolean> {
  return (await ctx.db.$count(user, and(eq(user.id, userId), user.twoFactorEnabled))) > 0;
}

/** Every change of the ways in and of the password takes this lock first, so that two at once can't remove the last two. */
export const lockUser = (tx: Tx, uid: string) =>
  tx.select({ id: user.id }).from(user).where(eq(user.id, uid)).for('update');

/** Locks the account, and tells whether the caller is still signed in: a new password may have ended that since the request began. */
export async function isStillSignedIn(
  tx: Tx,
  { uid, authSessionId = '' }: Pick<Caller, 'uid' | 'authSessionId'>,
): Promise<boolean> {
  await lockUser(tx, uid);
  const own = and(eq(authSession.userId, uid), eq(authSession.id, authSessionId));
  return (await tx.$count(authSession, own)) > 0;
}

/**
 * Locks the account, and throws 401 unless the caller is still signed in. In the transaction that adds a way in or gives the account away, after
 * the lock on usage where that is taken too.
 */
export async function requireLiveSignIn(tx: Tx, caller: Pick<Caller, 'uid' | 'authSessionId'>): Promise<void> {
  if (!(await isStillSignedIn(tx, caller))) throw new AppError('signed_out', SENTENCES.signedOut);
}

/** Whether the person has linked an account of this provider. */
export async function isLinked(ctx: { db: Db }, uid: string, provider: string): Promise<boolean> {
  const linked = and(eq(authAccount.userId, uid), eq(authAccount.providerId, provider));
  return (await ctx.db.$count(authAccount, linked)) > 0;
}

/** A person links one account of each provider. Throws 409 where there is one. */
export async function refuseSecondLink(ctx: { db: Db }, uid: string, provider: SignInProvider): Promise<void> {
  if (!(await isLinked(ctx, uid, provider))) return;
  throw new AppError('conflict', `An account at ${PROVIDER_NAMES[provider]} is linked already. Unlink it first.`);
}

/** The hash of an account's password; null without one. */
export async function passwordHash(ctx: Pick<Deps, 'db'>, userId: string): Promise<string | null> {
  const [row] = await ctx.db
    .select({ password: authAccount.password })
    .from(authAccount)
    .where(and(eq(authAccount.userId, userId), eq(authAccount.providerId, 'credential')));
  return row?.password ?? null;
}
