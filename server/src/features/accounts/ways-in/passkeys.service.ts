import type { Passkey } from '@atelier/contract/accounts';
import { and, asc, eq } from 'drizzle-orm';
import type { Caller } from '../../../access.ts';
import type { Tx } from '../../../platform/database/database.ts';
import type { Deps } from '../../../platform/deps.ts';
import { AppError, notFound } from '../../../platform/errors.ts';
import type { Live } from '../../../platform/live.ts';
import { type Also, actOnAccount } from '../accounts.closing.service.ts';
import { authSession, passkeys } from '../accounts.identity.table.ts';
import { type MailDeps, queueNotice } from '../accounts.mail.service.ts';
import { lockUser, requireLiveSignIn } from '../accounts.service.ts';
import { noteActivity } from '../activity/activity.service.ts';
import { announceWay, requireWayIn } from './ways-in.service.ts';

type PasskeyRow = Pick<typeof passkeys.$inferSelect, 'id' | 'name' | 'createdAt'>;
const toPasskey = ({ id, name, createdAt }: PasskeyRow): Passkey => ({
  id,
  name: name ?? 'Passkey',
  createdAt: createdAt.toISOString(),
});

/** A person's passkeys, the oldest first. */
export async function listPasskeys(ctx: Pick<Deps, 'db'>, uid: string): Promise<Passkey[]> {
  const rows = await ctx.db.select().from(passkeys).where(eq(passkeys.userId, uid)).orderBy(asc(passkeys.createdAt));
  return rows.map(toPasskey);
}

/** Throws 409 for a passkey that an account has already. */
export async function refuseDuplicatePasskey(ctx: Pick<Deps, 'db'>, credentialId: string): Promise<void> {
  if ((await ctx.db.$count(passkeys, eq(passkeys.credentialID, credentialId))) === 0) return;
  throw new AppError('conflict', 'This passkey has been added already.');
}

/**
 * Tells the person's pages and mailbox about a passkey that has just been stored. Where that fails it is removed again: throws 401 when the
 * caller was signed out before it was stored.
 */
export async function admitPasskey(ctx: Deps, caller: Caller, id: string): Promise<void> {
  const admit = async (tx: Tx) => {
    await requireLiveSignIn(tx, caller);
    await announceWay(ctx, tx, caller.uid, { way: 'a passkey', isAdded: true });
  };
  await ctx.db.transaction(admit).catch(async (error: unknown) => {
    await ctx.db.delete(passkeys).where(and(eq(passkeys.id, id), eq(passkeys.userId, caller.uid)));
    throw error;
  });
  await noteActivity(ctx, caller.uid, 'passkey_added', { about: id });
}

/** Gives a passkey another name. Throws 404 for somebody else's. */
export async function renamePasskey(ctx: Deps, { uid }: Caller, input: { id: string; name: string }): Promise<Passkey> {
  return ctx.db.transaction(async (tx) => {
    const own = and(eq(passkeys.id, input.id), eq(passkeys.userId, uid));
    const [row] = await tx.update(passkeys).set({ name: input.name }).where(own).returning();
    if (row === undefined) throw notFound('This passkey');
    await ctx.live.notify(tx, uid, 'account', uid);
    return toPasskey(row);
  });
}

/** Removes a passkey. Throws 404 for somebody else's, 409 when it is the last way in. */
export async function deletePasskey(ctx: Deps, { uid }: Caller, id: string): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    await lockUser(tx, uid);
    const own = and(eq(passkeys.id, id), eq(passkeys.userId, uid));
    const [row] = await tx.delete(passkeys).where(own).returning();
    if (row === undefined) throw notFound('This passkey');
    await requireWayIn(tx, uid);
    await announceWay(ctx, tx, uid, { way: 'a passkey', isAdded: false });
  });
  await noteActivity(ctx, uid, 'passkey_removed', { about: id });
}

/**
 * Removes all passkeys of an account for the operator: one is lost, or somebody else has it. Signs out everywhere, and mails its owner why.
 * Returns false where there is none.
 */
export const removePasskeys = (
  ctx: Pick<Deps, 'db' | 'log'> & MailDeps & { live: Pick<Live, 'notify'> },
  { userId, reason }: { userId: string; reason: string },
  also?: Also,
): Promise<boolean> =>
  actOnAccount(ctx, { userId, event: 'passkey_removed', also }, async (tx) => {
    await lockUser(tx, userId);
    const gone = await tx.delete(passkeys).where(eq(passkeys.userId, userId)).returning({ id: passkeys.id });
    if (gone.length === 0) return false;
    await tx.delete(authSession).where(eq(authSession.userId, userId));
    await ctx.live.notify(tx, userId, 'account', userId);
    await queueNotice(ctx, tx, userId, { kind: 'way_in', way: 'its passkeys', isAdded: false, reason });
  });
