import { and, eq, ne, not, sql } from 'drizzle-orm';
import { v7 as uuidv7 } from 'uuid';
import type { Caller } from '../../access.ts';
import type { Config } from '../../config.ts';
import type { Tx } from '../../platform/database/database.ts';
import type { Deps } from '../../platform/deps.ts';
import { AppError } from '../../platform/errors.ts';
import { hashPassword, verifyPassword } from '../../platform/password.ts';
import { type Also, actOnAccount } from './accounts.closing.service.ts';
import { requirePasswords } from './accounts.credentials.ts';
import { authAccount, authSession, twoFactor } from './accounts.identity.table.ts';
import { consumeConfirmation, consumeReset, forgiveConfirmation, refuseHaste } from './accounts.limits.service.ts';
import { canMailPeople, type MailDeps, queueMail, tokenAddress } from './accounts.mail.service.ts';
import { lockUser, passwordHash } from './accounts.service.ts';
import { forgiveAccount } from './accounts.sign-in-limits.service.ts';
import { user } from './accounts.table.ts';
import {
  consumeToken,
  issueToken,
  isValidToken,
  type Purpose,
  revokeTokens,
  type TokenRow,
} from './accounts.tokens.service.ts';
import { noteActivity, noteSuspended } from './activity/activity.service.ts';
import { openByEmail } from './door/door.service.ts';
import { suspendWays } from './suspension/suspension.service.ts';

/** The queue that is told of a reset: what somebody else asked for goes on only if the owner says so. */
export const RESET_QUEUE = 'accounts.reset';

/**
 * Mails a link to reset the password, if the email has an account. That is looked up later, by the job that sends it, so that neither the
 * answer nor its time tells. Beyond three in twenty minutes nothing is sent; the last link works longer than that.
 */
export async function requestReset(ctx: Deps, email: string): Promise<void> {
  if (!(await consumeReset(ctx, email)).allowed) return;
  await ctx.db.transaction((tx) => queueMail(ctx, tx, { userId: null, recipient: email, content: { kind: 'reset' } }));
}

const RESETS: Purpose[] = ['reset', 'operator_reset'];

/** A link to reset the password of an account, for the operator to hand over. Throws 403 where nobody has one. */
export async function issueResetLink(
  ctx: Pick<Deps, 'db' | 'log'> & { config: Pick<Config, 'PUBLIC_URL' | 'PORT' | 'PASSWORDS_OFF'> },
  { userId, email }: { userId: string; email: string },
  also?: Also,
): Promise<string> {
  requirePasswords(ctx.config);
  let token = '';
  await actOnAccount(ctx, { userId, event: 'reset_link_made', also }, async (tx) => {
    token = await issueToken(tx, { userId, purpose: 'operator_reset', email: email.trim().toLowerCase() });
  });
  return tokenAddress(ctx.config, 'operator_reset', token);
}

/**
 * Mails the person themselves a link to choose a new password, for the operator, who doesn't see it. Returns false where nobody is mailed.
 * Throws 403 where nobody has a password.
 */
export async function mailResetLink(
  ctx: Pick<Deps, 'db' | 'log'> & MailDeps & { config: Pick<Config, 'PASSWORDS_OFF'> },
  { userId, email }: { userId: string; email: string },
  also?: Also,
): Promise<boolean> {
  requirePasswords(ctx.config);
  if (!canMailPeople(ctx)) return false;
  return actOnAccount(ctx, { userId, event: 'reset_link_made', also }, (tx) =>
    queueMail(ctx, tx, { userId: null, recipient: email, content: { kind: 'reset' } }),
  );
}

/**
 * Sets a new password by a link's token, in one transaction with everything that follows: the link and all others stop working, every device
 * is signed out, every other way in is suspended, and wrong passwords are forgotten. A second factor is suspended too unless the email was
 * confirmed before: until then anybody can have added it. Returns the account's email and how many ways are suspended; null for a token that
 * is used, too old or never was one.
 */
export async function resetPassword(
  ctx: Deps,
  input: { token: string; newPassword: string },
): Promise<{ email: string; suspended: number } | null> {
  // Before hashing, which is expensive.
  if (!(await isValidToken(ctx.db, input.token, RESETS))) return null;
  const hash = await hashPassword(input.newPassword, ctx.passwordCost);
  const done = await ctx.db.transaction(async (tx) => {
    const token = await consumeToken(tx, input.token, RESETS);
    if (token === null) return null;
    const { userId, email } = token;
    await setPassword(tx, userId, hash);
    await revokeTokens(tx, userId);
    // Somebody with the old password may have begun to set up a second factor.
    await tx.delete(twoFactor).where(and(eq(twoFactor.userId, userId), not(twoFactor.verified)));
    await tx.delete(authSession).where(eq(authSession.userId, userId));
    await ctx.jobs.send(tx, RESET_QUEUE, { userId });
    const suspended = await suspendWays(ctx, tx, userId, { twoFactor: !(await confirmedBefore(tx, token)) });
    await forgiveAccount({ db: tx }, email);
    const content = { kind: 'password_changed', by: 'reset', suspended } as const;
    await queueMail(ctx, tx, { userId, recipient: email, content });
    return { token, suspended };
  });
  if (done === null) return null;
  const { token, suspended } = done;
  await noteActivity(ctx, token.userId, 'password_reset', { about: token.purpose });
  await noteSuspended(ctx, token.userId, suspended);
  return { email: token.email, suspended };
}

/** Whether the email of a reset was confirmed already. A mailed link confirms it; one that the operator hands over doesn't. */
async function confirmedBefore(tx: Tx, { userId, email, purpose }: TokenRow): Promise<boolean> {
  const [row] = await tx
    .select({ email: user.email, isConfirmed: user.emailVerified })
    .from(user)
    .where(eq(user.id, userId));
  if (row?.isConfirmed === true) return true;
  if (purpose === 'reset' && row?.email === email) {
    await tx.update(user).set({ emailVerified: true, updatedAt: sql`now()` }).where(eq(user.id, userId));
    await openByEmail(tx, userId, email);
  }
  return false;
}

const ofPassword = (userId: string) => and(eq(authAccount.userId, userId), eq(authAccount.providerId, 'credential'));
const replaced = (hash: string) => ({ password: hash, updatedAt: sql`now()` });

async function setPassword(tx: Tx, userId: string, hash: string): Promise<void> {
  const changed = await tx
    .update(authAccount)
    .set(replaced(hash))
    .where(ofPassword(userId))
    .returning({ id: authAccount.id });
  if (changed.length > 0) return;
  const row = { id: uuidv7(), accountId: userId, providerId: 'credential', userId, password: hash };
  await tx.insert(authAccount).values(row);
}

const notYourPassword = (field: string) =>
  new AppError('forbidden', 'This is not your password.', { field, activity: 'password_refused' });

/** Counts a try of a signed-in person to prove who they are. Throws 429 after too many. */
export const countConfirmation = async (ctx: Pick<Deps, 'db'>, uid: string): Promise<void> =>
  refuseHaste(await consumeConfirmation(ctx, uid), 'Too many wrong tries. Please try again later.');

/** Checks the password of a signed-in person before a grave change, and returns its hash. Throws 403 for a wrong one, 429 after too many. */
export async function confirmPassword(
  ctx: Pick<Deps, 'db'>,
  uid: string,
  { password, field }: { password: string; field: string },
): Promise<string> {
  await countConfirmation(ctx, uid);
  const hash = await passwordHash(ctx, uid);
  if (hash === null) {
    const sentence = 'Your account has no password yet. Set one first, on the page “Account” under “Signing in”.';
    throw new AppError('forbidden', sentence, { field });
  }
  if (!(await verifyPassword({ hash, password }))) {
    throw notYourPassword(field);
  }
  await forgiveConfirmation(ctx, uid);
  return hash;
}

interface PasswordChange {
  currentPassword: string;
  newPassword: string;
  revokeOtherSessions: boolean;
  /** Which other ways in go on when other devices are signed out. */
  keep: readonly string[];
}

/**
 * Changes the password of a signed-in person. If asked to, signs out their other devices and suspends every other way in that isn't kept.
 * Throws as `confirmPassword` does.
 */
export async function changePassword(ctx: Deps, caller: Caller, change: PasswordChange): Promise<void> {
  const { currentPassword: password, newPassword, revokeOtherSessions } = change;
  const old = await confirmPassword(ctx, caller.uid, { password, field: 'currentPassword' });
  const hash = await hashPassword(newPassword, ctx.passwordCost);
  const ended = await ctx.db.transaction(async (tx) => {
    await lockUser(tx, caller.uid);
    const stillOld = and(ofPassword(caller.uid), eq(authAccount.password, old));
    const changed = await tx.update(authAccount).set(replaced(hash)).where(stillOld).returning({ id: authAccount.id });
    // Somebody reset it in the meantime, perhaps because this caller isn't its owner.
    if (changed.length === 0) throw notYourPassword('currentPassword');
    await revokeTokens(tx, caller.uid);
    const others = and(eq(authSession.userId, caller.uid), ne(authSession.id, caller.authSessionId ?? ''));
    let suspended = 0;
    let devices = 0;
    if (revokeOtherSessions) {
      devices = (await tx.delete(authSession).where(others).returning({ id: authSession.id })).length;
      suspended = await suspendWays(ctx, tx, caller.uid, { twoFactor: false, spared: { ids: change.keep } });
    }
    const content = { kind: 'password_changed', by: 'person', suspended } as const;
    await queueMail(ctx, tx, { userId: caller.uid, recipient: caller.email, content });
    return { devices, suspended };
  });
  await noteActivity(ctx, caller.uid, 'password_changed');
  if (ended.devices > 0) await noteActivity(ctx, caller.uid, 'device_signed_out', { count: ended.devices });
  await noteSuspended(ctx, caller.uid, ended.suspended);
}

/** The user as better-auth’s own calls answer it. */
export async function getIdentityUser(ctx: Pick<Deps, 'db'>, uid: string) {
  const { id, name, email, emailVerified, image, createdAt, updatedAt } = user;
  const [row] = await ctx.db
    .select({ id, name, email, emailVerified, image, createdAt, updatedAt })
    .from(user)
    .where(eq(user.id, uid));
  return row ?? null;
}
