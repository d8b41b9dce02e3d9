import { and, eq, inArray, type SQL, sql } from 'drizzle-orm';
import type { Tx } from '../../platform/database/database.ts';
import { inPortions, readingFirst } from '../../platform/database/portions.ts';
import type { Deps } from '../../platform/deps.ts';
import { raiseVersion } from './memory.queries.ts';
import { memories } from './memory.table.ts';
import { blankAllReceipts, blankReceipts, findFactIds } from './receipts.queries.ts';

type Ctx = Pick<Deps, 'db' | 'live'>;

/** Tells indexes and pages that an agent's memories are gone, in the transaction that deletes the agent. Nobody finds them from then on. */
export async function hideMemories(ctx: Pick<Deps, 'live'>, tx: Tx, agent: { userId: string; agentId: string }) {
  await raiseVersion(tx, agent);
  await ctx.live.notify(tx, agent.userId, 'memories', agent.userId);
}

/** Removes every memory of a deleted agent, also from its receipts, in portions. */
export const forgetAgent = (ctx: Ctx, { userId, agentId }: { userId: string; agentId: string }): Promise<void> =>
  forgetAll(ctx, userId, eq(memories.agentId, agentId));

/** Removes every memory of a deleted session, also from the receipts of other sessions, in portions. */
export const forgetSession = (ctx: Ctx, { userId, sessionId }: { userId: string; sessionId: string }): Promise<void> =>
  forgetAll(ctx, userId, eq(memories.sessionId, sessionId));

const forgetAll = (ctx: Ctx, userId: string, which: SQL) =>
  inPortions(ctx.db, (tx, size) => forgetSome(ctx, tx, userId, which, size));

/** Removes some memories of a deleted exchange, also from the receipts of others; returns 0 once none is left. */
export const forgetExchange = (
  ctx: Pick<Deps, 'live'>,
  tx: Tx,
  of: { userId: string; sessionId: string; taskId: string },
  size: number,
): Promise<number> =>
  // By its session, which has an index.
  forgetSome(
    ctx,
    tx,
    of.userId,
    sql`${memories.sessionId} = ${of.sessionId} and ${memories.taskId} = ${of.taskId}`,
    size,
  );

/** `which`: memories of one agent. */
async function forgetSome(ctx: Pick<Deps, 'live'>, tx: Tx, userId: string, which: SQL, size: number): Promise<number> {
  const found = await readingFirst(tx, () =>
    tx
      .select({ id: memories.id, agentId: memories.agentId })
      .from(memories)
      .where(and(eq(memories.userId, userId), which))
      .limit(size),
  );
  const [first] = found;
  if (first === undefined) return 0;
  const going = found.map(({ id }) => id);
  const ids = [...going, ...(await findFactIds(tx, userId, inArray(memories.id, going)))];
  // They may be in more receipts than a portion: then they go with the last of these.
  if ((await blankReceipts(ctx, tx, { userId, agentId: first.agentId, ids }, size)) === size) return size;
  await tx.delete(memories).where(and(eq(memories.userId, userId), inArray(memories.id, going)));
  await ctx.live.notify(tx, userId, 'memories', userId);
  return found.length;
}

/** Blanks what the caller's feature has forgotten in every receipt of an agent, in portions. */
export const blankInReceipts = blankAllReceipts;
