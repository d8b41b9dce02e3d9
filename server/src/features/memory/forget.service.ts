import { and, eq, inArray, type SQL, sql } from 'drizzle-orm';
import type { Tx } from '../../platform/database/database.ts';
import { ROWS, readingFirst, WIDE_ROWS } from '../../platform/database/portions.ts';
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

async function forgetAll(ctx: Ctx, userId: string, which: SQL): Promise<void> {
  for (;;) {
    const gone = await ctx.db.transaction((tx) => findSome(tx, userId, which));
    if (gone === undefined) return;
    const done = await blankAllReceipts(ctx, gone);
    await ctx.db.transaction(async (tx) => {
      await blankReceipts(ctx, tx, gone, done);
      await remove(ctx, tx, gone);
    });
  }
}

/** Removes a deleted exchange's memories, also from some receipts. Call again with the same `done`, empty at first, until it gives 0. */
export async function forgetExchange(
  ctx: Pick<Deps, 'live'>,
  tx: Tx,
  of: { userId: string; sessionId: string; taskId: string },
  done: Set<string>,
): Promise<number> {
  // By its session, which has an index.
  const which = sql`${memories.sessionId} = ${of.sessionId} and ${memories.taskId} = ${of.taskId}`;
  const gone = await findSome(tx, of.userId, which);
  if (gone === undefined) return 0;
  const blanked = await blankReceipts(ctx, tx, gone, done, WIDE_ROWS);
  if (blanked > 0) return blanked;
  done.clear();
  return remove(ctx, tx, gone);
}

type MemoryBatch = NonNullable<Awaited<ReturnType<typeof findSome>>>;

/** Some memories of one agent, with the facts that come from them. */
async function findSome(tx: Tx, userId: string, which: SQL) {
  const rows = await readingFirst(tx, () =>
    tx
      .select({ id: memories.id, agentId: memories.agentId })
      .from(memories)
      .where(and(eq(memories.userId, userId), which))
      .limit(ROWS),
  );
  const [first] = rows;
  if (first === undefined) return undefined;
  const going = rows.map(({ id }) => id);
  const ids = [...going, ...(await findFactIds(tx, userId, inArray(memories.id, going)))];
  return { userId, agentId: first.agentId, going, ids };
}

async function remove(ctx: Pick<Deps, 'live'>, tx: Tx, { userId, going }: MemoryBatch): Promise<number> {
  await tx.delete(memories).where(and(eq(memories.userId, userId), inArray(memories.id, going)));
  await ctx.live.notify(tx, userId, 'memories', userId);
  return going.length;
}

/** Blanks what the caller's feature has forgotten in every receipt of an agent, in portions. */
export const blankInReceipts = blankAllReceipts;
