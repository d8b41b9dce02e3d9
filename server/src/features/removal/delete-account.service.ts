import type { Caller } from '../../access.ts';
import { noteDeletion } from '../../platform/backup/deletions.ts';
import type { Tx } from '../../platform/database/database.ts';
import { deleteInPortions, inPortions } from '../../platform/database/portions.ts';
import type { Deps } from '../../platform/deps.ts';
import { deleteUser } from '../accounts/accounts.closing.service.ts';
import { requireLiveSignIn } from '../accounts/accounts.service.ts';
import { noteActivity } from '../accounts/activity/activity.service.ts';
import { confirmByPassword } from '../accounts/ways-in/confirm-owner.service.ts';
import type { TaskKey } from '../runs/places.table.ts';
import { stopRunsOfUser } from '../runs/runs.cancel.service.ts';
import { PURGE_QUEUE, type SessionKey } from '../sessions/sessions.service.ts';
import { type AgentKey, ERASE_AGENT_QUEUE, eraseAgent } from './delete-agent.service.ts';
import { EXCHANGE_PURGE_QUEUE, purgeExchange, purgeSession } from './delete-session.service.ts';
import { deleteFavorites, detachCopies, remainingRows } from './removal.queries.ts';

/** The queue that deletes what is left of deleted accounts. Its name is from when those were files only. */
export const ERASE_QUEUE = 'own-data.erase-files';

/**
 * Deletes an account and stops its runs: in one short transaction it is gone for everybody, and its email is free. A job deletes what it
 * owned. Throws as `confirmByPassword` does, and 401 when the caller was signed out meanwhile.
 */
export async function deleteAccount(
  ctx: Deps,
  caller: Caller,
  { password }: { password?: string | undefined },
): Promise<void> {
  await confirmByPassword(ctx, caller, { password, field: 'password' });
  await ctx.db.transaction(async (tx) => {
    await stopAccount(ctx, tx, caller.uid);
    await requireLiveSignIn(tx, caller);
    await deleteUser(tx, caller);
  });
  await noteActivity(ctx, caller.uid, 'account_deleted');
}

/** Stops the runs and jobs of an account that is being deleted, but for the one that deletes what it owned. */
async function stopAccount(ctx: Deps, tx: Tx, uid: string): Promise<void> {
  await stopRunsOfUser(ctx, tx, uid);
  await ctx.jobs.removeWaiting(tx, uid);
  await ctx.jobs.send(tx, ERASE_QUEUE, { userId: uid });
}

/** Deletes an account without asking its owner: one that they have deleted before, or that an operator deletes. */
export const deleteAccountUnasked = (
  ctx: Deps,
  account: Pick<Caller, 'uid' | 'email'>,
  also?: (tx: Tx) => Promise<void>,
): Promise<void> =>
  ctx.db.transaction(async (tx) => {
    await stopAccount(ctx, tx, account.uid);
    await also?.(tx);
    await deleteUser(tx, account);
  });

/** Deletes whatever a deleted account has left: rows, bytes of files, jobs. It may be interrupted at any moment and begin again. */
export async function eraseAccount(ctx: Deps, uid: string): Promise<void> {
  await noteDeletion(ctx, { kind: 'account', userId: uid, ids: [] });
  await eraseTraces(ctx, uid);
  for (const [table, ofAccount, rows] of remainingRows(uid)) await deleteInPortions(ctx.db, table, ofAccount, rows);
  await ctx.storage.deleteFolder(`userFiles/${uid}`);
  // Last, because this job is among them.
  await ctx.jobs.removeAll(uid);
}

/** Deletes what others see of it: how often their agents are favorites, their favorites, and what their copies say of their original. */
async function eraseTraces(ctx: Deps, uid: string): Promise<void> {
  const tellEach = async (tx: Tx, owners: string[]) => {
    for (const owner of new Set(owners)) await ctx.live.notify(tx, owner, 'agents', '');
    return owners.length;
  };
  await inPortions(ctx.db, async (tx, size) => tellEach(tx, await deleteFavorites(tx, uid, size)));
  await inPortions(ctx.db, async (tx, size) => tellEach(tx, await detachCopies(tx, uid, size)));
}

/** Registers this feature's durable jobs; call once, before the jobs start. */
export function registerRemovalJobs(deps: Deps): void {
  deps.jobs.handle<SessionKey>(PURGE_QUEUE, (key) => purgeSession(deps, key), { retryLimit: 10 });
  deps.jobs.handle<TaskKey>(EXCHANGE_PURGE_QUEUE, (key) => purgeExchange(deps, key), { retryLimit: 10 });
  deps.jobs.handle<AgentKey>(ERASE_AGENT_QUEUE, (key) => eraseAgent(deps, key), { retryLimit: 20 });
  deps.jobs.handle<{ userId: string }>(ERASE_QUEUE, ({ userId }) => eraseAccount(deps, userId), { retryLimit: 20 });
}
