import type { ActivityEvent } from '@atelier/contract/accounts/activity';
import { and, asc, eq, inArray, isNotNull, like, not, or, sql } from 'drizzle-orm';
import type { Caller } from '../../access.ts';
import type { Db, Tx } from '../../platform/database/database.ts';
import type { Deps } from '../../platform/deps.ts';
import { authSession, verification } from './accounts.identity.table.ts';
import { type MailDeps, queueNotice } from './accounts.mail.service.ts';
import { accountMails } from './accounts.mail.table.ts';
import { user } from './accounts.table.ts';
import { noteActivity } from './activity/activity.service.ts';

/** What belongs into the same transaction as an act on an account. */
export type Also = (tx: Tx) => Promise<void>;

/** Does something with an account in one transaction with `also`, and notes it; false, and neither, where `act` returns false. */
export async function actOnAccount(
  ctx: Pick<Deps, 'db' | 'log'>,
  { userId, event, also }: { userId: string; event: ActivityEvent; also: Also | undefined },
  act: (tx: Tx) => Promise<boolean | void>,
): Promise<boolean> {
  const isDone = await ctx.db.transaction(async (tx) => {
    if ((await act(tx)) === false) return false;
    await also?.(tx);
    return true;
  });
  if (isDone) await noteActivity(ctx, userId, event);
  return isDone;
}

/** Disables an account: nobody can sign in, and its sessions end in the same transaction. */
export const disableAccount = (
  ctx: Pick<Deps, 'db' | 'log'>,
  { userId, reason }: { userId: string; reason: string },
  also?: Also,
): Promise<boolean> =>
  actOnAccount(ctx, { userId, event: 'account_disabled', also }, async (tx) => {
    await tx
      .update(user)
      .set({ banned: true, banReason: reason, banExpires: null, updatedAt: sql`now()` })
      .where(eq(user.id, userId));
    await tx
      .update(authSession)
      .set({ token: sql`'disabled:' || encode(sha256(convert_to(${authSession.token}, 'UTF8')), 'hex')` })
      .where(and(eq(authSession.userId, userId), not(like(authSession.token, 'disabled:%'))));
  });

/** Enables a disabled account; its user has to sign in again. */
export const enableAccount = (ctx: Pick<Deps, 'db' | 'log'>, userId: string, also?: Also): Promise<boolean> =>
  actOnAccount(ctx, { userId, event: 'account_enabled', also }, async (tx) => {
    await tx
      .update(user)
      .set({ banned: false, banReason: null, banExpires: null, updatedAt: sql`now()` })
      .where(eq(user.id, userId));
    await tx.delete(authSession).where(and(eq(authSession.userId, userId), like(authSession.token, 'disabled:%')));
  });

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

/** New accounts that nobody can sign in to yet, the oldest first. */
export const listWaiting = ({ db }: { db: Db }) =>
  db
    .select({ email: user.email, name: user.name, waitingFor: user.waitingFor, createdAt: user.createdAt })
    .from(user)
    .where(isNotNull(user.waitingFor))
    .orderBy(asc(user.createdAt))
    .limit(1_000);

/** Lets a waiting account in, whatever it waits for, and tells its owner by mail; false when it doesn't wait. */
export const approveAccount = (
  ctx: Pick<Deps, 'db' | 'log'> & MailDeps,
  userId: string,
  also?: Also,
): Promise<boolean> =>
  actOnAccount(ctx, { userId, event: 'account_approved', also }, async (tx) => {
    const waiting = and(eq(user.id, userId), isNotNull(user.waitingFor));
    const change = { waitingFor: null, updatedAt: sql`now()` };
    const approved = await tx.update(user).set(change).where(waiting).returning({ id: user.id });
    if (approved.length === 0) return false;
    await queueNotice(ctx, tx, userId, { kind: 'approved' });
  });

/** Deletes a waiting account, in which nothing can be yet; false when it doesn't wait. `also` belongs into the same transaction. */
export async function rejectAccount({ db }: { db: Db }, userId: string, also?: Also): Promise<boolean> {
  return db.transaction(async (tx) => {
    const waiting = and(eq(user.id, userId), isNotNull(user.waitingFor));
    const [row] = await tx.select({ email: user.email }).from(user).where(waiting).for('update');
    if (row === undefined) return false;
    await deleteUser(tx, { uid: userId, email: row.email });
    await also?.(tx);
    return true;
  });
}
