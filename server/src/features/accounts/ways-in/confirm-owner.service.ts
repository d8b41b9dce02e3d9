import { and, eq, gt, sql } from 'drizzle-orm';
import type { Caller } from '../../../access.ts';
import type { Deps } from '../../../platform/deps.ts';
import { AppError } from '../../../platform/errors.ts';
import { authSession } from '../accounts.identity.table.ts';
import { confirmPassword } from '../accounts.passwords.service.ts';
import { passwordHash } from '../accounts.service.ts';

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

/** Throws 403 unless the caller has signed in just now. */
export async function requireFreshSignIn(ctx: Pick<Deps, 'db'>, caller: Caller): Promise<void> {
  const fresh = and(
    eq(authSession.id, caller.authSessionId ?? ''),
    gt(authSession.createdAt, sql`now() - make_interval(mins => ${FRESH_MINUTES})`),
  );
  if ((await ctx.db.$count(authSession, fresh)) > 0) return;
  const sentence = `To be sure that it is you: sign out and in again, then do this within ${FRESH_MINUTES} minutes.`;
  throw new AppError('forbidden', sentence);
}
