import { SENTENCES } from '@atelier/contract/errors';
import { and, eq } from 'drizzle-orm';
import type { Caller } from '../../../access.ts';
import type { Db } from '../../../platform/database/database.ts';
import type { Deps } from '../../../platform/deps.ts';
import { AppError } from '../../../platform/errors.ts';
import { passkeys } from '../accounts.identity.table.ts';
import { confirmPassword } from '../accounts.passwords.service.ts';
import { hasTwoFactor, passwordHash } from '../accounts.service.ts';
import { hasProof, recordProof } from '../accounts.tokens.service.ts';

type Ctx = Pick<Deps, 'db'>;

/**
 * Lets a signed-in person change how one signs in, or make what acts in their name, if their sign-in has proved within five minutes that it is
 * the owner's: by the password, a passkey or a code. A password that comes along is such a proof. Throws 403, `confirmation_needed` without
 * one; 429 after too many wrong passwords.
 */
export async function confirmOwner(ctx: Ctx, caller: Caller, password?: string): Promise<void> {
  if (password !== undefined) {
    await confirmPassword(ctx, caller.uid, { password, field: 'password' });
    return prove(ctx, caller);
  }
  if (caller.authSessionId !== undefined && (await hasProof(ctx.db, caller.authSessionId))) return;
  throw new AppError('confirmation_needed', SENTENCES.confirmationNeeded);
}

/** Asks for the password itself, each time, where there is one; for a proof otherwise. Throws as `confirmOwner` does, 400 where it is missing. */
export async function confirmByPassword(
  ctx: Ctx,
  caller: Caller,
  { password, field }: { password: string | undefined; field: string },
): Promise<void> {
  if ((await passwordHash(ctx, caller.uid)) === null) return confirmOwner(ctx, caller);
  if (password === undefined) throw new AppError('invalid_input', 'Your password is missing.', { field });
  await confirmPassword(ctx, caller.uid, { password, field });
}

/** Notes that the caller has proved who they are. */
export async function prove(ctx: Ctx, { uid, authSessionId }: Caller): Promise<void> {
  if (authSessionId !== undefined) await recordProof(ctx.db, { uid, authSessionId });
}

/** Throws 403 unless the passkey is the caller's. */
export async function requireOwnPasskey(ctx: Ctx, { uid }: Caller, credentialId: string): Promise<void> {
  const own = and(eq(passkeys.userId, uid), eq(passkeys.credentialID, credentialId));
  if ((await ctx.db.$count(passkeys, own)) === 0) throw new AppError('forbidden', 'This passkey is not yours.');
}

/** A new sign-in is a proof. One by a provider is only where nothing else proves: whoever holds that account then holds this one. */
export async function proveBySignIn(
  ctx: { db: Db },
  { userId, id, isByProvider }: { userId: string; id: string; isByProvider: boolean },
): Promise<void> {
  if (isByProvider && (await canProve(ctx, userId))) return;
  await recordProof(ctx.db, { uid: userId, authSessionId: id });
}

/** Whether an account has a password, a passkey or a second factor. */
const canProve = async (ctx: { db: Db }, userId: string) =>
  (await passwordHash(ctx, userId)) !== null ||
  (await hasTwoFactor(ctx, userId)) ||
  (await ctx.db.$count(passkeys, eq(passkeys.userId, userId))) > 0;
