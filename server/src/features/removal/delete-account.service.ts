import type { Caller } from '../../access.ts';
import type { Deps } from '../../platform/deps.ts';
import { deleteUser } from '../accounts/accounts.closing.service.ts';
import { requireLiveSignIn } from '../accounts/accounts.service.ts';
import { noteActivity } from '../accounts/activity/activity.service.ts';
import { confirmByPassword } from '../accounts/ways-in/confirm-owner.service.ts';
import { requestCancelOfUser } from '../runs/runs.cancel.service.ts';

/** The queue that deletes the file bytes of deleted accounts. */
export const ERASE_FILES_QUEUE = 'own-data.erase-files';

/**
 * Deletes an account with everything it owns, in one transaction, and stops its runs. Throws as `confirmByPassword` does, and 401 when
 * the caller was signed out meanwhile.
 */
export async function deleteAccount(
  ctx: Deps,
  caller: Caller,
  { password }: { password?: string | undefined },
): Promise<void> {
  await confirmByPassword(ctx, caller, { password, field: 'password' });
  await ctx.db.transaction(async (tx) => {
    await requestCancelOfUser(ctx, tx, caller.uid);
    await ctx.jobs.removeOf(tx, caller.uid);
    // If this process dies before it has deleted the bytes, the job does.
    await ctx.jobs.send(tx, ERASE_FILES_QUEUE, { userId: caller.uid }, { startAfterSeconds: 60 });
    await requireLiveSignIn(tx, caller);
    await deleteUser(tx, caller);
  });
  await noteActivity(ctx, caller.uid, 'account_deleted');
  try {
    await eraseFiles(ctx, caller.uid);
  } catch (error) {
    // The account is deleted anyway, and the job tries again.
    return ctx.log.error('own-data.erase-files', error);
  }
  await ctx.db.transaction((tx) => ctx.jobs.removeOf(tx, caller.uid));
}

/** Deletes the bytes of every file of a deleted account. */
export const eraseFiles = (ctx: Pick<Deps, 'storage'>, userId: string): Promise<void> =>
  ctx.storage.deleteFolder(`userFiles/${userId}`);
