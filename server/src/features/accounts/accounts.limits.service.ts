import { createHash } from 'node:crypto';
import { inArray, lt, sql } from 'drizzle-orm';
import { v7 as uuidv7 } from 'uuid';
import type { Deps } from '../../platform/deps.ts';
import { rateLimit } from './accounts.table.ts';

type Ctx = Pick<Deps, 'db'>;
/** At most `max` in a window of so many seconds. */
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

/** Counts one attempt and says whether it is still within the rule: one statement, so parallel attempts can't slip through. */
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
/** Wrong passwords from one address close the account to that address alone, so that a stranger can't lock its owner out … */
const FROM_ONE_ADDRESS: Rule = { window: FIFTEEN_MINUTES, max: 10 };
/** … until so many came from all over that somebody is guessing with many machines. */
const FROM_ANYWHERE: Rule = { window: FIFTEEN_MINUTES, max: 50 };

/** The email stands there as a hash only: people mistype passwords into it. */
function lockKeys(email: string, address: string) {
  const account = createHash('sha256').update(email.toLowerCase()).digest('base64url');
  return { here: `lock|${account}|${address}`, anywhere: `lock|${account}` };
}

/**
 * Counts a sign-in before its password is looked at and says whether it may go on. Addresses without an account count just the
 * same, so the answer tells nothing about which exist.
 */
export async function consumeSignIn(ctx: Ctx, email: string, address: string): Promise<Consumed> {
  const keys = lockKeys(email, address);
  const here = await consumeAttempt(ctx, keys.here, FROM_ONE_ADDRESS);
  return here.allowed ? consumeAttempt(ctx, keys.anywhere, FROM_ANYWHERE) : here;
}

/** Forgets the wrong passwords of an account once the right one was given. */
export async function forgiveSignIns(ctx: Ctx, email: string, address: string): Promise<void> {
  const keys = lockKeys(email, address);
  await ctx.db.delete(rateLimit).where(inArray(rateLimit.key, [keys.here, keys.anywhere]));
}
