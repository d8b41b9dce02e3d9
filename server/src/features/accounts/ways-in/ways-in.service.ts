import { type Passkey, PROVIDER_NAMES, type SignInProvider } from '@atelier/contract/accounts';
import { and, asc, eq, gt, ne, sql } from 'drizzle-orm';
import { v7 as uuidv7 } from 'uuid';
import type { Caller } from '../../../access.ts';
import type { Tx } from '../../../platform/database/database.ts';
import type { Deps } from '../../../platform/deps.ts';
import { AppError, notFound } from '../../../platform/errors.ts';
import { hashPassword } from '../../../platform/password.ts';
import { queueNotice } from '../accounts.mail.service.ts';
import { passkeys } from '../accounts.passkeys.table.ts';
import { confirmPassword } from '../accounts.passwords.service.ts';
import { passwordHash } from '../accounts.service.ts';
import { authAccount, authSession, user } from '../accounts.table.ts';

/** For accounts without a password: how long after signing in a person may change how they sign in. */
const FRESH_MINUTES = 10;

/** Checks that a signed-in person is the owner: by their password, or by a sign-in of just now where they have none. Throws 403 or 429. */
export async function confirmOwner(ctx: Deps, caller: Caller, password: string | undefined): Promise<void> {
  if ((await passwordHash(ctx, caller.uid)) !== null) {
    if (password === undefined) throw new AppError('invalid_input', 'Your password is missing.', { field: 'password' });
    await confirmPassword(ctx, caller.uid, { password, field: 'password' });
    return;
  }
  await requireFreshSignIn(ctx, caller);
}

async function requireFreshSignIn(ctx: Pick<Deps, 'db'>, caller: Caller): Promise<void> {
  const fresh = and(
    eq(authSession.id, caller.authSessionId ?? ''),
    gt(authSession.createdAt, sql`now() - make_interval(mins => ${FRESH_MINUTES})`),
  );
  if ((await ctx.db.$count(authSession, fresh)) > 0) return;
  const sentence = `To be sure that it is you: sign out and in again, then do this within ${FRESH_MINUTES} minutes.`;
  throw new AppError('forbidden', sentence);
}

/** Gives an account its first password. Throws 403 unless the sign-in is fresh, 409 when there is a password already. */
export async function setFirstPassword(ctx: Deps, caller: Caller, newPassword: string): Promise<void> {
  await requireFreshSignIn(ctx, caller);
  const hash = await hashPassword(newPassword, ctx.passwordCost);
  await ctx.db.transaction(async (tx) => {
    await lockUser(tx, caller.uid);
    if ((await passwordHash({ db: tx }, caller.uid)) !== null) {
      throw new AppError('conflict', 'This account has a password. Change it instead.');
    }
    const row = { id: uuidv7(), userId: caller.uid, accountId: caller.uid, providerId: 'credential', password: hash };
    await tx.insert(authAccount).values(row);
    await announceWay(ctx, tx, caller.uid, { way: 'a password', isAdded: true });
  });
}

/** Every change of the ways in takes this lock, so that two at once can't remove the last two. */
const lockUser = (tx: Tx, uid: string) => tx.select({ id: user.id }).from(user).where(eq(user.id, uid)).for('update');

async function announceWay(ctx: Deps, tx: Tx, uid: string, change: { way: string; isAdded: boolean }): Promise<void> {
  await ctx.live.notify(tx, uid, 'account', uid);
  await queueNotice(ctx, tx, uid, { kind: 'way_in', ...change });
}

/** Tells a person by mail, and their open pages, that there is another way into their account. */
export const tellAddedWay = (ctx: Deps, uid: string, way: string): Promise<void> =>
  ctx.db.transaction((tx) => announceWay(ctx, tx, uid, { way, isAdded: true }));

const refuseLast = () =>
  new AppError('conflict', 'This is your only way to sign in. Set a password or add another way first.');

/** Unlinks a provider's account. Throws 404 when none is linked, 409 when it is the last way in. */
export async function unlinkProvider(ctx: Deps, { uid }: Caller, provider: SignInProvider): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    await lockUser(tx, uid);
    const linked = and(eq(authAccount.userId, uid), eq(authAccount.providerId, provider));
    const others = and(eq(authAccount.userId, uid), ne(authAccount.providerId, provider));
    if ((await tx.$count(authAccount, linked)) === 0) throw notFound('This account');
    const left = (await tx.$count(authAccount, others)) + (await tx.$count(passkeys, eq(passkeys.userId, uid)));
    if (left === 0) throw refuseLast();
    await tx.delete(authAccount).where(linked);
    await announceWay(ctx, tx, uid, { way: PROVIDER_NAMES[provider], isAdded: false });
  });
}

/** Whether the person has linked an account of this provider. */
export async function isLinked(ctx: Pick<Deps, 'db'>, uid: string, provider: SignInProvider): Promise<boolean> {
  const linked = and(eq(authAccount.userId, uid), eq(authAccount.providerId, provider));
  return (await ctx.db.$count(authAccount, linked)) > 0;
}

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
    const left =
      (await tx.$count(authAccount, eq(authAccount.userId, uid))) +
      (await tx.$count(passkeys, eq(passkeys.userId, uid)));
    if (left === 0) throw refuseLast();
    await announceWay(ctx, tx, uid, { way: 'a passkey', isAdded: false });
  });
}

/** The email of an account that has just signed in. */
export async function emailOf(ctx: Pick<Deps, 'db'>, userId: string): Promise<string | null> {
  const [row] = await ctx.db.select({ email: user.email }).from(user).where(eq(user.id, userId));
  return row?.email ?? null;
}
