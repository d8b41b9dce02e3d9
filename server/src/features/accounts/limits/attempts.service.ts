import { lt, sql } from 'drizzle-orm';
import { v7 as uuidv7 } from 'uuid';
import { networkOf, siteOf } from '../../../platform/client-address.ts';
import type { Db } from '../../../platform/database/database.ts';
import { rateLimit } from '../accounts.identity.table.ts';

export type Ctx = { db: Db };
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

/** The database’s clock, in milliseconds. */
export const nowMs = sql`(extract(epoch from clock_timestamp()) * 1000)::bigint`;

/** Deletes counts that no rule asks about any more. */
export const forgetOld = (ctx: Ctx) =>
  ctx.db.delete(rateLimit).where(lt(rateLimit.lastRequest, sql`${nowMs} - ${FORGET_AFTER_MS}`));

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
  if (row.count === 1) await forgetOld(ctx);
  if (row.count <= max) return { allowed: true, retryAfter: null };
  return { allowed: false, retryAfter: Math.max(1, Math.ceil(Number(row.remaining) / 1000)) };
}

/** How many times the tries of one network all networks of its customer have: the offices of a firm, not 65,536 addresses to write from. */
const NEARBY = 3;

/** Counts one attempt by a stranger at an address, whose network and whose customer's networks are each within the rule. */
export async function consumeFrom(ctx: Ctx, address: string, what: string, rule: Rule): Promise<Consumed> {
  const [network, site] = [networkOf(address), siteOf(address)];
  const here = await consumeAttempt(ctx, `${network}|${what}`, rule);
  if (!here.allowed || site === network) return here;
  return consumeAttempt(ctx, `${site}|${what}`, { ...rule, max: rule.max * NEARBY });
}
