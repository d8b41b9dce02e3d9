import { SENTENCES } from '@atelier/contract/errors';
import { and, eq, not, sql } from 'drizzle-orm';
import type { Caller } from '../../access.ts';
import { violates } from '../../platform/database/constraint.ts';
import type { Tx } from '../../platform/database/database.ts';
import type { Deps } from '../../platform/deps.ts';
import { AppError } from '../../platform/errors.ts';
import { type Also, actOnAccount } from './accounts.closing.service.ts';
import { consumeMails, refuseHaste } from './accounts.limits.service.ts';
import { canMailPeople, queueMail, queueNotice } from './accounts.mail.service.ts';
import { findUserId, passwordHash, requireLiveSignIn } from './accounts.service.ts';
import { user } from './accounts.table.ts';
import { consumeToken, revokeTokens } from './accounts.tokens.service.ts';
import { noteActivity, noteSuspended } from './activity/activity.service.ts';
import { openByEmail } from './door/door.service.ts';
import type { AccountMail } from './mail/account-mail.ts';
import { suspendAtFirstProof } from './suspension/suspension.service.ts';
import { confirmByPassword } from './ways-in/confirm-owner.service.ts';

/** Mails a link that proves an account's email once more. Throws 429 after several. */
export async function askToVerifyAgain(ctx: Deps, caller: Caller): Promise<void> {
  await countMail(ctx, caller);
  await ctx.db.transaction((tx) => queueNotice(ctx, tx, caller.uid, { kind: 'verify' }));
}

/** The same after a right password, where the account waits for its email to be confirmed. Returns false once enough mails were sent. */
export async function askToVerifyAtSignIn(ctx: Deps, email: string): Promise<boolean> {
  const userId = canMailPeople(ctx) ? await findUserId(ctx, email) : null;
  if (userId === null || !(await consumeMails(ctx, userId)).allowed) return false;
  await ctx.db.transaction((tx) => queueNotice(ctx, tx, userId, { kind: 'verify' }));
  return true;
}

/**
 * Changes a person's email after their password. Where mail is configured, only a link mailed to the new address does it, and an address in
 * use is answered the same; otherwise it changes at once. Returns whether it has changed. Throws 401 when the
 * caller was signed out meanwhile, 403, 409 or 429.
 */
export async function changeEmail(
  ctx: Deps,
  caller: Caller,
  input: { newEmail: string; currentPassword?: string | undefined },
): Promise<{ changed: boolean }> {
  const newEmail = input.newEmail.toLowerCase();
  await confirmByPassword(ctx, caller, { password: input.currentPassword, field: 'currentPassword' });
  if (newEmail === caller.email) {
    throw new AppError('invalid_input', 'This is your email already.', { field: 'newEmail' });
  }
  if (canMailPeople(ctx)) {
    await countMail(ctx, caller);
    const mail = { userId: caller.uid, recipient: newEmail, content: { kind: 'change_email' } } as const;
    await ctx.db.transaction(async (tx) => {
      await requireLiveSignIn(tx, caller);
      await queueMail(ctx, tx, mail);
    });
    await noteActivity(ctx, caller.uid, 'email_change_asked');
    return { changed: false };
  }
  const done = await ctx.db
    .transaction(async (tx) => {
      await requireLiveSignIn(tx, caller);
      return setEmail(ctx, tx, caller.uid, { email: newEmail, emailVerified: false });
    })
    .catch(takenOr);
  if (done === null) throw new AppError('conflict', SENTENCES.emailInUse, { field: 'newEmail' });
  await noteActivity(ctx, caller.uid, 'email_changed');
  return { changed: true };
}

const countMail = async (ctx: Deps, { uid }: Caller): Promise<void> =>
  refuseHaste(await consumeMails(ctx, uid), 'You have asked for several mails. Please look for them, or wait a while.');

/**
 * Uses the link of a mail: the address is confirmed, or becomes the account's. The first proof suspends the ways in that another sign-in than
 * the caller's may have added; returns how many. Null for a link that is used, too old or never was one, and where another account has taken
 * the address meanwhile. Throws 403, and the link still works, where the account has no password and the caller isn't signed in to it.
 */
export async function confirmEmail(
  ctx: Deps,
  token: string,
  caller: Caller | null,
): Promise<{ email: string; changed: boolean; suspended: number } | null> {
  const confirm = async (tx: Tx) => {
    const row = await consumeToken(tx, token, ['verify', 'change_email']);
    if (row === null) return null;
    const { userId, email } = row;
    if (row.purpose === 'verify') {
      const isFirst = await setConfirmed(tx, userId);
      if (isFirst && caller?.uid !== userId) await refuseWithoutPassword(tx, userId);
      const suspended = isFirst ? await suspendAtFirstProof(ctx, tx, userId, caller) : 0;
      await ctx.live.notify(tx, userId, 'account', userId);
      return { userId, email, changed: false, suspended };
    }
    const before = await setEmail(ctx, tx, userId, { email, emailVerified: true });
    if (!before.emailVerified) await openByEmail(tx, userId, email);
    const content = { kind: 'email_changed', to: email } as const;
    await queueMail(ctx, tx, { userId, recipient: before.email, content });
    return { userId, email, changed: true, suspended: 0 };
  };
  const done = await ctx.db.transaction(confirm).catch(takenOr);
  if (done === null) return null;
  const { userId, ...confirmed } = done;
  await noteActivity(ctx, userId, confirmed.changed ? 'email_changed' : 'email_confirmed');
  await noteSuspended(ctx, userId, confirmed.suspended);
  return confirmed;
}

/** An account without a password keeps the provider that opened it, so nobody but its owner may confirm the email: it may be a stranger's account. */
async function refuseWithoutPassword(tx: Tx, userId: string): Promise<void> {
  if ((await passwordHash({ db: tx }, userId)) !== null) return;
  throw new AppError('forbidden', 'Log in to this account first, then open the link again.');
}

/**
 * Confirms an account's email for the operator, who knows whose it is, without a sign-in. Suspends the other ways in, but not the one that
 * opened an account without a password. Returns false where it was confirmed already.
 */
export async function confirmEmailByHand(
  ctx: Parameters<typeof suspendAtFirstProof>[0] & Pick<Deps, 'db' | 'log'>,
  userId: string,
  also?: Also,
): Promise<boolean> {
  let suspended = 0;
  const isConfirmed = await actOnAccount(ctx, { userId, event: 'email_confirmed', also }, async (tx) => {
    if (!(await setConfirmed(tx, userId))) return false;
    await ctx.live.notify(tx, userId, 'account', userId);
    suspended = await suspendAtFirstProof(ctx, tx, userId, null);
  });
  await noteSuspended(ctx, userId, suspended);
  return isConfirmed;
}

/** Confirms it and opens what waits for that; returns whether it was not confirmed before. */
async function setConfirmed(tx: Tx, userId: string): Promise<boolean> {
  const [changed] = await tx
    .update(user)
    .set({ emailVerified: true, updatedAt: sql`now()` })
    .where(and(eq(user.id, userId), not(user.emailVerified)))
    .returning({ email: user.email });
  if (changed === undefined) return false;
  await openByEmail(tx, userId, changed.email);
  return true;
}

/** Changes the email and returns the one before. Links to the old address stop working. */
async function setEmail(
  ctx: Deps,
  tx: Tx,
  userId: string,
  to: { email: string; emailVerified: boolean },
): Promise<{ email: string; emailVerified: boolean }> {
  const { email, emailVerified } = user;
  const [before] = await tx.select({ email, emailVerified }).from(user).where(eq(user.id, userId)).for('update');
  await tx
    .update(user)
    .set({ ...to, updatedAt: sql`now()` })
    .where(eq(user.id, userId));
  await revokeTokens(tx, userId);
  await ctx.live.notify(tx, userId, 'account', userId);
  return before ?? to;
}

function takenOr(error: unknown): null {
  if (violates(error, 'user_email_unique')) return null;
  throw error;
}

/** Tells a person's open pages that their account looks different and, where something happened, them by mail. */
export async function announce(ctx: Deps, uid: string, content?: AccountMail): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    await ctx.live.notify(tx, uid, 'account', uid);
    if (content !== undefined) await queueNotice(ctx, tx, uid, content);
  });
}

/** Tells the owner of an account by mail that a device that it doesn't know has signed in. */
export async function mailAboutDevice(
  ctx: Deps,
  { email, device, address }: { email: string; device: string; address: string },
): Promise<void> {
  const userId = await findUserId(ctx, email);
  if (userId === null) return;
  const content = { kind: 'new_device', device, address, at: new Date().toISOString() } as const;
  await ctx.db.transaction((tx) => queueNotice(ctx, tx, userId, content));
}
