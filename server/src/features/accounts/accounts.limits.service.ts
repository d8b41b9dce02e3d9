import { createHash } from 'node:crypto';
import { inArray, lt, sql } from 'drizzle-orm';
import { v7 as uuidv7 } from 'uuid';
import { networkOf } from '../../platform/client-address.ts';
import type { Deps } from '../../platform/deps.ts';
import { rateLimit } from './accounts.table.ts';

type Ctx = Pick<Deps, 'db'>;
/** At most `max` within a window, in seconds. */
export interface Rule {
  window: number;
  max: number;
}
export interface Consumed {
  allowed: boolean;
  /** Seconds until the window ends; null when allowed. */
  retryAfter: number | null;
}

const FORGET_AFTER_MS = 60 * 60 * 1000;
const nowMs = sql`(extract(epoch from clock_timestamp()) * 1000)::bigint`;

/** Counts one attempt and returns whether it is within the rule: one statement, so parallel attempts can't slip through. */
export async function consumeAttempt(ctx: Ctx, key: string, { window, max }: Rule): Promise<Consumed> {
  const windowMs = window * 1000;
  const over = sql`${rateLimit.lastRequest} + ${windowMs} <= ${nowMs}`;
  const [row] = await ctx.db
    .insert(rateLimit)
    .values({ id: uuidv7(), key, count: 1, lastRequest: nowMs })
    .onConflictDoUpdate({
      target: rateLimit.key,
      set: {
        count: sql`case when ${over} then 1 else least(${rateLimit.count} + 1, ${max + 1}) end`,
        lastRequest: sql`case when ${over} then ${nowMs} else ${rateLimit.lastRequest} end`,
      },
    })
    .returning({ count: rateLimit.count, remaining: sql<string>`${rateLimit.lastRequest} + ${windowMs} - ${nowMs}` });
  if (row === undefined) throw new Error('the rate limit row was not returned');
  if (row.count === 1)
    await ctx.db.delete(rateLimit).where(lt(rateLimit.lastRequest, sql`${nowMs} - ${FORGET_AFTER_MS}`));
  if (row.count <= max) return { allowed: true, retryAfter: null };
  return { allowed: false, retryAfter: Math.max(1, Math.ceil(Number(row.remaining) / 1000)) };
}

const FIFTEEN_MINUTES = 15 * 60;
/** Wrong passwords from one address close the account to that address only, so that a stranger can't lock its owner out … */
const FROM_ONE_ADDRESS: Rule = { window: FIFTEEN_MINUTES, max: 10 };
/** … until so many come from everywhere that somebody must be guessing with many machines. */
const FROM_ANYWHERE: Rule = { window: FIFTEEN_MINUTES, max: 50 };
/** A known device counts separately: nobody elsewhere can close the account to it. */
const FROM_A_DEVICE: Rule = { window: FIFTEEN_MINUTES, max: 10 };

/**
 * Replaces an email or an account's id where only equality matters: people mistype passwords into the first, and nothing of a deleted
 * account may stay.
 */
export const accountKey = (name: string) => createHash('sha256').update(name.toLowerCase()).digest('base64url');

/** A password attempt: for which email, from where, and on which known device. */
export interface Attempt {
  email: string;
  /** Client address. */
  address: string;
  device: string | null;
}

function lockKeys({ email, address, device }: Attempt) {
  const anywhere = `lock|${accountKey(email)}`;
  return { anywhere, here: `${anywhere}|${networkOf(address)}`, onDevice: `${anywhere}|device|${device}` };
}

/** Counts a sign-in or sign-up of an address before anything of it is read; at most `max` a minute. */
export const consumeAddress = (ctx: Ctx, path: string, address: string, max: number): Promise<Consumed> =>
  consumeAttempt(ctx, `${networkOf(address)}|${path}`, { window: 60, max });

/**
 * Counts a sign-in before its password is checked and returns whether it may continue. Unknown emails count the same, so the answer doesn't
 * reveal which exist. A known device counts like others once its own tries are used up.
 */
export async function consumeSignIn(ctx: Ctx, attempt: Attempt, addressMax: number): Promise<Consumed> {
  const keys = lockKeys(attempt);
  if (attempt.device !== null) {
    const onDevice = await consumeAttempt(ctx, keys.onDevice, FROM_A_DEVICE);
    if (onDevice.allowed) return onDevice;
  }
  const rate = await consumeAddress(ctx, '/sign-in/email', attempt.address, addressMax);
  if (!rate.allowed) return rate;
  const here = await consumeAttempt(ctx, keys.here, FROM_ONE_ADDRESS);
  return here.allowed ? consumeAttempt(ctx, keys.anywhere, FROM_ANYWHERE) : here;
}

/** Forgets an account's wrong passwords after the right one. */
export async function forgiveSignIns(ctx: Ctx, attempt: Attempt): Promise<void> {
  await ctx.db.delete(rateLimit).where(inArray(rateLimit.key, Object.values(lockKeys(attempt))));
}

/** Counts a signed-in user's password confirmation; nobody else can use up these tries. */
export const consumeConfirmation = (ctx: Ctx, uid: string): Promise<Consumed> =>
  consumeAttempt(ctx, `confirm|${accountKey(uid)}`, FROM_A_DEVICE);
