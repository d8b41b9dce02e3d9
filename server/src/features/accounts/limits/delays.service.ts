import { eq, sql } from 'drizzle-orm';
import { v7 as uuidv7 } from 'uuid';
import { rateLimit } from '../accounts.identity.table.ts';
import { type Consumed, type Ctx, forgetOld, nowMs } from './attempts.service.ts';

export const FIFTEEN_MINUTES = 15 * 60;

/** The first `free` attempts may come at once; then each waits for twice as long as the one before. */
export interface Delay {
  free: number;
  firstSeconds: number;
}
/** The longest wait. Shorter than what is remembered, so that it lasts; and four tries an hour guess nothing. */
const LONGEST_SECONDS = FIFTEEN_MINUTES;

/**
 * Counts one attempt if its time has come: one statement, so parallel attempts can't slip through. An attempt that comes too early is not
 * counted, so that knocking doesn't make the wait longer.
 */
export async function consumeDelayed(ctx: Ctx, key: string, { free, firstSeconds }: Delay): Promise<Consumed> {
  const doubled = sql`${firstSeconds} * power(2, least(${rateLimit.count} - ${free}, 12))`;
  const waitMs = sql`case when ${rateLimit.count} < ${free} then 0 else 1000 * least(${LONGEST_SECONDS}, ${doubled}) end`;
  const [row] = await ctx.db
    .insert(rateLimit)
    .values({ id: uuidv7(), key, count: 1, lastRequest: nowMs })
    .onConflictDoUpdate({
      target: rateLimit.key,
      set: { count: sql`${rateLimit.count} + 1`, lastRequest: nowMs },
      setWhere: sql`${rateLimit.lastRequest} + ${waitMs} <= ${nowMs}`,
    })
    .returning({ count: rateLimit.count });
  if (row?.count === 1) await forgetOld(ctx);
  if (row !== undefined) return { allowed: true, retryAfter: null };
  const [waiting] = await ctx.db
    .select({ ms: sql<string>`${rateLimit.lastRequest} + ${waitMs} - ${nowMs}` })
    .from(rateLimit)
    .where(eq(rateLimit.key, key));
  return { allowed: false, retryAfter: Math.max(1, Math.ceil(Number(waiting?.ms ?? 0) / 1000)) };
}
