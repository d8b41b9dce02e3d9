import type { Me, User } from '@atelier/contract/accounts';
import { SENTENCES } from '@atelier/contract/errors';
import { and, eq, inArray, like, lte, not, or, sql } from 'drizzle-orm';
import { type Caller, isOperator, limitsOf } from '../../access.ts';
import type { Db, Tx } from '../../platform/database/database.ts';
import type { Deps } from '../../platform/deps.ts';
import { AppError } from '../../platform/errors.ts';
import { canMailPeople } from './accounts.mail.service.ts';
import { accountMails } from './accounts.mail.table.ts';
import { authAccount, authSession, profiles, usage, user, verification } from './accounts.table.ts';
import { photoAddress } from './photos/photos.service.ts';

type UserRow = typeof user.$inferSelect;

/** Everything a page needs to know about its user. Throws `signed_out` when the account is gone. */
export async function getMe(ctx: Pick<Deps, 'db' | 'models' | 'config' | 'mail'>, caller: Caller): Promise<Me> {
  const [row] = await ctx.db
    .select({ user, profile: profiles, usage })
    .from(user)
    .innerJoin(profiles, eq(profiles.userId, user.id))
    .innerJoin(usage, eq(usage.userId, user.id))
    .where(eq(user.id, caller.uid));
  if (row === undefined) throw new AppError('signed_out', SENTENCES.signedOut);
  const providers = await ctx.db
    .select({ providerId: authAccount.providerId, accountId: authAccount.accountId })
    .from(authAccount)
    .where(eq(authAccount.userId, caller.uid));
  const { profile } = row;
  return {
    user: toUser(row.user, providers),
    account: {
      subscriptionStatus: profile.subscriptionStatus,
      subscriptionTier: profile.subscriptionTier,
      agentsCreated: profile.agentsCreated,
      createdAt: profile.createdAt.toISOString(),
      lastUpdated: profile.lastUpdated.toISOString(),
      lastPaidAt: profile.lastPaidAt?.getTime() ?? null,
      lastReference: profile.lastReference,
    },
    usage: {
      messageCount: row.usage.messageCount,
      taskCount: row.usage.taskCount,
      sessionCount: row.usage.sessionCount,
    },
    limits: limitsOf(profile.subscriptionStatus),
    models: ctx.models.list(),
    standIn: ctx.models.standIn(),
    modelProvider: { kind: ctx.models.kind, label: ctx.models.label },
    operator: isOperator(ctx.config, row.user.email),
    security: { twoFactor: row.user.twoFactorEnabled, mail: canMailPeople(ctx) },
  };
}

/** The only place that turns a stored user into the specification's user object. */
function toUser(row: UserRow, providers: { providerId: string; accountId: string }[]): User {
  return {
    uid: row.id,
    displayName: row.name,
    photoURL: photoAddress(row.image),
    email: row.email,
    emailVerified: row.emailVerified,
    phoneNumber: row.phoneNumber,
    tenantId: null,
    isAnonymous: false,
    providerData: providers.map((provider) =>
      provider.providerId === 'credential'
        ? { providerId: 'password', uid: row.email }
        : { providerId: provider.providerId, uid: provider.accountId },
    ),
    metadata: {
      creationTime: row.createdAt.toISOString(),
      lastSignInTime: row.lastSignInAt?.toISOString() ?? null,
    },
  };
}

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

/** The id of the account with this email, ignoring case; null when there is none. */
export async function findUserId(ctx: Pick<Deps, 'db'>, email: string): Promise<string | null> {
  const [row] = await ctx.db.select({ id: user.id }).from(user).where(eq(user.email, email.trim().toLowerCase()));
  return row?.id ?? null;
}

/** The email of each of these accounts, by id. */
export async function userNames(ctx: Pick<Deps, 'db'>, ids: string[]): Promise<Map<string, string>> {
  const rows = await ctx.db.select({ id: user.id, email: user.email }).from(user).where(inArray(user.id, ids));
  return new Map(rows.map(({ id, email }) => [id, email]));
}

/** Disables an account: nobody can sign in, and its sessions end in the same transaction. */
export async function disableAccount(ctx: Pick<Deps, 'db'>, input: { userId: string; reason: string }): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    await tx
      .update(user)
      .set({ banned: true, banReason: input.reason, banExpires: null, updatedAt: sql`now()` })
      .where(eq(user.id, input.userId));
    await tx
      .update(authSession)
      .set({ token: sql`'disabled:' || encode(sha256(convert_to(${authSession.token}, 'UTF8')), 'hex')` })
      .where(and(eq(authSession.userId, input.userId), not(like(authSession.token, 'disabled:%'))));
  });
}

/** Enables a disabled account; its user has to sign in again. */
export async function enableAccount(ctx: Pick<Deps, 'db'>, userId: string): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    await tx
      .update(user)
      .set({ banned: false, banReason: null, banExpires: null, updatedAt: sql`now()` })
      .where(eq(user.id, userId));
    await tx.delete(authSession).where(and(eq(authSession.userId, userId), like(authSession.token, 'disabled:%')));
  });
}

/** Whether an account asks for a second factor. */
export async function hasTwoFactor(ctx: Pick<Deps, 'db'>, userId: string): Promise<boolean> {
  return (await ctx.db.$count(user, and(eq(user.id, userId), user.twoFactorEnabled))) > 0;
}

/** The hash of an account's password; null without one. */
export async function passwordHash(ctx: Pick<Deps, 'db'>, userId: string): Promise<string | null> {
  const [row] = await ctx.db
    .select({ password: authAccount.password })
    .from(authAccount)
    .where(and(eq(authAccount.userId, userId), eq(authAccount.providerId, 'credential')));
  return row?.password ?? null;
}

/** Deletes an account; foreign keys delete its rows, and every open page learns that its sign-in ended. */
export async function deleteUser(tx: Tx, { uid, email }: Pick<Caller, 'uid' | 'email'>): Promise<void> {
  const codes = or(
    inArray(verification.identifier, [uid, email]),
    inArray(verification.value, [uid, email]),
    // better-auth puts the purpose of a code before its owner.
    like(verification.identifier, `%${uid}`),
    sql`right(${verification.identifier}, ${email.length + 1}) in (${`-${email}`}, ${`:${email}`})`,
  );
  await tx.delete(verification).where(codes);
  await tx.delete(accountMails).where(eq(sql`lower(${accountMails.recipient})`, email));
  await tx.delete(user).where(eq(user.id, uid));
}
