import type { SignInProvider } from '@atelier/contract/accounts';
import { and, eq } from 'drizzle-orm';
import { v7 as uuidv7 } from 'uuid';
import { z } from 'zod';
import type { Caller } from '../../../access.ts';
import type { Tx } from '../../../platform/database/database.ts';
import type { Deps } from '../../../platform/deps.ts';
import { AppError, notFound } from '../../../platform/errors.ts';
import { parsedJson } from '../../../platform/parsed-json.ts';
import { hashPassword } from '../../../platform/password.ts';
import { authAccount, passkeys, verification } from '../accounts.identity.table.ts';
import { queueNotice } from '../accounts.mail.service.ts';
import { isLinked, isStillSignedIn, lockUser, passwordHash, requireLiveSignIn } from '../accounts.service.ts';
import { user } from '../accounts.table.ts';
import { noteActivity } from '../activity/activity.service.ts';
import { callerOfCall, signInTrace } from '../auth/call-notes.ts';
import { providerName } from './providers.ts';

/** Gives an account its first password. Throws 409 when there is a password already, 401 when the caller was signed out meanwhile. */
export async function setFirstPassword(ctx: Deps, caller: Caller, newPassword: string): Promise<void> {
  const hash = await hashPassword(newPassword, ctx.passwordCost);
  await ctx.db.transaction(async (tx) => {
    await requireLiveSignIn(tx, caller);
    if ((await passwordHash({ db: tx }, caller.uid)) !== null) {
      throw new AppError('conflict', 'This account has a password. Change it instead.');
    }
    const row = { id: uuidv7(), userId: caller.uid, accountId: caller.uid, providerId: 'credential', password: hash };
    await tx.insert(authAccount).values(row);
    await announceWay(ctx, tx, caller.uid, { way: 'a password', isAdded: true });
  });
  await noteActivity(ctx, caller.uid, 'password_set');
}

/** Tells the person’s pages and mailbox about a way in, within the transaction that changes it. */
export async function announceWay(
  ctx: Deps,
  tx: Tx,
  uid: string,
  change: { way: string; isAdded: boolean },
): Promise<void> {
  await ctx.live.notify(tx, uid, 'account', uid);
  await queueNotice(ctx, tx, uid, { kind: 'way_in', ...change });
}

/** Tells a person by mail, and their open pages, that there is another way into their account. */
export const tellAddedWay = (ctx: Deps, uid: string, way: string): Promise<void> =>
  ctx.db.transaction((tx) => announceWay(ctx, tx, uid, { way, isAdded: true }));

/** Throws 409 where an account has no way in left, in the transaction that took one away. */
export async function requireWayIn(tx: Tx, uid: string): Promise<void> {
  const elsewhere = await tx.$count(authAccount, eq(authAccount.userId, uid));
  if (elsewhere + (await tx.$count(passkeys, eq(passkeys.userId, uid))) > 0) return;
  throw new AppError('conflict', 'This is your only way to sign in. Set a password or add another way first.');
}

/** Unlinks a provider's account. Throws 404 when none is linked, 409 when it is the last way in. */
export async function unlinkProvider(ctx: Deps, { uid }: Caller, provider: SignInProvider): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    await lockUser(tx, uid);
    const linked = and(eq(authAccount.userId, uid), eq(authAccount.providerId, provider));
    const gone = await tx.delete(authAccount).where(linked).returning({ id: authAccount.id });
    if (gone.length === 0) throw notFound('This account');
    await requireWayIn(tx, uid);
    await announceWay(ctx, tx, uid, { way: providerName(ctx.config, provider), isAdded: false });
  });
  await noteActivity(ctx, uid, 'provider_unlinked', { about: provider });
}

/** The email of an account that has just signed in. */
export async function emailOf(ctx: Pick<Deps, 'db'>, userId: string): Promise<string | null> {
  const [row] = await ctx.db.select({ email: user.email }).from(user).where(eq(user.id, userId));
  return row?.email ?? null;
}

const withInvitation = z.object({ invitation: z.string() });

/** The invitation with which somebody went to a provider, by the state that comes back. */
export async function invitationOfState(ctx: Pick<Deps, 'db'>, state = ''): Promise<string | undefined> {
  if (state === '') return undefined;
  const stored = ctx.db.select({ value: verification.value }).from(verification);
  const [row] = await stored.where(eq(verification.identifier, `auth-state:${state}`));
  return withInvitation.safeParse(parsedJson(row?.value ?? '')).data?.invitation;
}

type Link = Pick<typeof authAccount.$inferSelect, 'id' | 'userId' | 'providerId'>;

/**
 * Whether an account elsewhere may be linked now that somebody comes back with it: by whoever is signed in here, so that nothing begun by a
 * sign-in outlives it. Of two that were begun at once, the second one is refused.
 */
export async function mayLink(deps: Deps, { userId, providerId }: Link): Promise<boolean> {
  const caller = await callerOfCall.getStore()?.();
  if (caller?.uid !== userId || (await isLinked(deps, userId, providerId))) return false;
  Object.assign(signInTrace.getStore() ?? {}, { linkedBy: caller });
  return true;
}

/** A sign-in that was ended while the link was written takes it along: who ends it holds the lock until nobody can miss that. */
export async function unlinkUnlessSignedIn(deps: Deps, { id }: Pick<Link, 'id'>): Promise<void> {
  const { linkedBy } = signInTrace.getStore() ?? {};
  if (linkedBy === undefined) return;
  await deps.db.transaction(async (tx) => {
    if (!(await isStillSignedIn(tx, linkedBy))) await tx.delete(authAccount).where(eq(authAccount.id, id));
  });
}
