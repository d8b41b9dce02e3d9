import { eq, inArray, or, sql } from 'drizzle-orm';
import { networkOf, siteOf } from '../../platform/client-address.ts';
import { rateLimit } from './accounts.identity.table.ts';
import {
  type AttemptResult,
  accountKey,
  type Ctx,
  consumeAttempt,
  consumeDelayed,
  type Delay,
} from './accounts.limits.service.ts';

/** Wrong passwords from one address for one account: somebody who mistypes, or guesses. */
const ONE_ACCOUNT_HERE: Delay = { free: 10, firstSeconds: 30 };
/** From one address for any account: one password tried on many. A whole office may sit behind the address. */
const ANY_ACCOUNT_HERE: Delay = { free: 50, firstSeconds: 30 };
/** From the networks of one customer, each of which would have the tries above. */
const ANY_ACCOUNT_NEARBY: Delay = { free: 150, firstSeconds: 30 };
/** For one account from everywhere: so many that somebody must be guessing with many machines. */
const ONE_ACCOUNT_ANYWHERE: Delay = { free: 50, firstSeconds: 30 };
/** A known device counts for itself: nobody elsewhere can make it wait. */
const ON_A_DEVICE: Delay = { free: 10, firstSeconds: 30 };

/** A password attempt: for which email, from where, and on which known device. */
interface Attempt {
  email: string;
  /** Client address. */
  address: string;
  device: string | null;
}

const lockOf = (email: string) => `lock|${accountKey(email)}`;

function lockKeys({ email, address, device }: Attempt) {
  const network = networkOf(address);
  const anywhere = lockOf(email);
  return {
    anywhere,
    here: `${anywhere}|${network}`,
    onDevice: `${anywhere}|device|${device}`,
    anyAccount: `lock-address|${network}`,
    nearby: `lock-site|${siteOf(address)}`,
  };
}

/**
 * Counts a sign-in before its password is checked and returns whether it may continue. Unknown emails count the same, so the answer doesn't
 * reveal which exist. A known device counts like others once its own tries are used up.
 */
export async function consumeSignIn(ctx: Ctx, attempt: Attempt, addressMax: number): Promise<AttemptResult> {
  const keys = lockKeys(attempt);
  if (attempt.device !== null) {
    const onDevice = await consumeDelayed(ctx, keys.onDevice, ON_A_DEVICE);
    if (onDevice.allowed) return onDevice;
  }
  // What the customer's other networks tried counts for longer, below.
  const rate = await consumeAttempt(ctx, `${networkOf(attempt.address)}|/sign-in/email`, {
    window: 60,
    max: addressMax,
  });
  if (!rate.allowed) return rate;
  for (const [key, delay] of [
    [keys.here, ONE_ACCOUNT_HERE],
    [keys.anyAccount, ANY_ACCOUNT_HERE],
    [keys.nearby, ANY_ACCOUNT_NEARBY],
    [keys.anywhere, ONE_ACCOUNT_ANYWHERE],
  ] as const) {
    const consumed = await consumeDelayed(ctx, key, delay);
    if (!consumed.allowed) return consumed;
  }
  return { allowed: true, retryAfter: null };
}

/** Forgets an account's wrong passwords after the right one. What else its address tried stays, less this attempt. */
export async function forgiveSignIns(ctx: Ctx, attempt: Attempt): Promise<void> {
  const { anywhere, here, onDevice, anyAccount, nearby } = lockKeys(attempt);
  await ctx.db.delete(rateLimit).where(inArray(rateLimit.key, [anywhere, here, onDevice]));
  const fewer = { count: sql`greatest(${rateLimit.count} - 1, 0)` };
  await ctx.db
    .update(rateLimit)
    .set(fewer)
    .where(inArray(rateLimit.key, [anyAccount, nearby]));
}

/** Forgets every wrong password of an account, wherever it came from. */
export async function forgiveAccount(ctx: Ctx, email: string): Promise<void> {
  const lock = lockOf(email);
  const ofAccount = or(eq(rateLimit.key, lock), sql`starts_with(${rateLimit.key}, ${`${lock}|`})`);
  await ctx.db.delete(rateLimit).where(ofAccount);
}
