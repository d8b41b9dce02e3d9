import { SENTENCES } from '@atelier/contract/errors';
import { eq, sql } from 'drizzle-orm';
import type { Caller } from '../../access.ts';
import type { Tx } from '../../platform/database/database.ts';
import type { Deps } from '../../platform/deps.ts';
import { AppError } from '../../platform/errors.ts';
import type { Live } from '../../platform/live.ts';
import { type Also, actOnAccount } from './accounts.closing.service.ts';
import { twoFactor } from './accounts.identity.table.ts';
import { type MailDeps, queueNotice } from './accounts.mail.service.ts';
import { isStillSignedIn, lockUser } from './accounts.service.ts';
import { user } from './accounts.table.ts';

/**
 * Removes an account's second factor for the operator, with its recovery codes, and mails its owner why. Returns false where there is none, a
 * set-up that was begun included.
 */
export const removeFactor = (
  ctx: Pick<Deps, 'db' | 'log'> & MailDeps & { live: Pick<Live, 'notify'> },
  { userId, reason }: { userId: string; reason: string },
  also?: Also,
): Promise<boolean> =>
  actOnAccount(ctx, { userId, event: 'two_factor_off', also }, async (tx) => {
    await lockUser(tx, userId);
    if (!(await deleteFactor(tx, userId))) return false;
    await ctx.live.notify(tx, userId, 'account', userId);
    await queueNotice(ctx, tx, userId, { kind: 'two_factor', on: false, reason });
  });

async function deleteFactor(tx: Tx, userId: string): Promise<boolean> {
  const removed = await tx.delete(twoFactor).where(eq(twoFactor.userId, userId)).returning({ id: twoFactor.id });
  await tx.update(user).set({ twoFactorEnabled: false, updatedAt: sql`now()` }).where(eq(user.id, userId));
  return removed.length > 0;
}

/** Takes a second factor away again, and throws 401, where whoever is setting it up was signed out before it was stored. */
export async function admitFactor(ctx: Pick<Deps, 'db'>, caller: Caller): Promise<void> {
  const isAdmitted = await ctx.db.transaction(async (tx) => {
    if (await isStillSignedIn(tx, caller)) return true;
    await deleteFactor(tx, caller.uid);
    return false;
  });
  if (!isAdmitted) throw new AppError('signed_out', SENTENCES.signedOut);
}
