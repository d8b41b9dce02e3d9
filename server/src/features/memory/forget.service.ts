import { and, eq, type SQL, sql } from 'drizzle-orm';
import type { Tx } from '../../platform/database/database.ts';
import type { Deps } from '../../platform/deps.ts';
import { raiseVersion } from './memory.queries.ts';
import { memories } from './memory.table.ts';
import { blankReceipts, findFactIds } from './receipts.queries.ts';

type Live = Pick<Deps, 'live'>;

/** Removes every memory of an agent, also from its receipts. An index may still list them, but recall finds no row and injects nothing. */
export async function forgetAgent(ctx: Live, tx: Tx, agent: { userId: string; agentId: string }): Promise<void> {
  await forget(ctx, tx, agent.userId, eq(memories.agentId, agent.agentId));
  await raiseVersion(tx, agent);
}

/** Removes every memory of a deleted session, also from the receipts of other sessions. */
export const forgetSession = (ctx: Live, tx: Tx, { userId, sessionId }: { userId: string; sessionId: string }) =>
  forget(ctx, tx, userId, eq(memories.sessionId, sessionId));

/** Removes every memory of a deleted exchange, also from the receipts of others. */
export const forgetExchange = (ctx: Live, tx: Tx, of: { userId: string; sessionId: string; taskId: string }) =>
  // By its session, which has an index.
  forget(ctx, tx, of.userId, sql`${memories.sessionId} = ${of.sessionId} and ${memories.taskId} = ${of.taskId}`);

/** `which`: memories of one agent. */
async function forget(ctx: Live, tx: Tx, userId: string, which: SQL): Promise<void> {
  const known = await findFactIds(tx, userId, which);
  const gone = await tx
    .delete(memories)
    .where(and(eq(memories.userId, userId), which))
    .returning({ id: memories.id, agentId: memories.agentId });
  const [first] = gone;
  if (first === undefined) return;
  const ids = [...known, ...gone.map((row) => row.id)];
  await blankReceipts(ctx, tx, { userId, agentId: first.agentId, ids });
  await ctx.live.notify(tx, userId, 'memories', userId);
}

/** Blanks what the caller's feature has forgotten in every receipt of an agent. */
export const blankInReceipts = (
  ctx: Live,
  tx: Tx,
  gone: { userId: string; agentId: string; ids: string[] },
): Promise<void> => blankReceipts(ctx, tx, gone);
