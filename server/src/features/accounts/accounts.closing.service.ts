import { and, eq, inArray, like, not, or, sql } from 'drizzle-orm';
import type { Caller } from '../../access.ts';
import type { Tx } from '../../platform/database/database.ts';
import type { Deps } from '../../platform/deps.ts';
import { authSession, verification } from './accounts.identity.table.ts';
import { accountMails } from './accounts.mail.table.ts';
import { user } from './accounts.table.ts';
import { noteActivity } from './activity/activity.service.ts';

/** What belongs into the same transaction as an act on an account. */
export type Also = (tx: Tx) => Promise<void>;

/** Disables an account: nobody can sign in, and its sessions end in the same transaction. */
export async function disableAccount(
  ctx: Pick<Deps, 'db' | 'log'>,
  input: { userId: string; reason: string },
  also?: Also,
): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    await tx
      .update(user)
      .set({ banned: true, banReason: input.reason, banExpires: null, updatedAt: sql`now()` })
      .where(eq(user.id, input.userId));
    await tx
      .update(authSession)
      .set({ token: sql`'disabled:' || encode(sha256(convert_to(${authSession.token}, 'UTF8')), 'hex')` })
      .where(and(eq(authSession.userId, input.userId), not(like(authSession.token, 'disabled:%'))));
    await also?.(tx);
  });
  await noteActivity(ctx, input.userId, 'account_disabled');
}

/** Enables a disabled account; its user has to sign in again. */
export async function enableAccount(ctx: Pick<Deps, 'db' | 'log'>, userId: string, also?: Also): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    await tx
      .update(user)
      .set({ banned: false, banReason: null, banExpires: null, updatedAt: sql`now()` })
      .where(eq(user.id, userId));
    await tx.delete(authSession).where(and(eq(authSession.userId, userId), like(authSession.token, 'disabled:%')));
    await also?.(tx);
  });
  await noteActivity(ctx, userId, 'account_enabled');
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
