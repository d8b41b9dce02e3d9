import { and, eq, sql } from 'drizzle-orm';
import type { Tx } from '../../platform/database/database.ts';
import type { Deps } from '../../platform/deps.ts';
import { raiseVersion } from './memory.queries.ts';
import { memories } from './memory.table.ts';
import { blankReceipts, findFactIds } from './receipts.queries.ts';

type Live = Pick<Deps, 'live'>;

interface ExchangeKey {
  userId: string;
  sessionId: string;
  taskId: string;
}

/** Removes every memory of an agent, also from its receipts. An index may still list them, but recall finds no row and injects nothing. */
export async function forgetAgent(ctx: Live, tx: Tx, input: { userId: string; agentId: string }): Promise<void> {
  const known = await findFactIds(tx, input.userId, eq(memories.agentId, input.agentId));
  const gone = await tx
    .delete(memories)
    .where(and(eq(memories.userId, input.userId), eq(memories.agentId, input.agentId)))
    .returning({ id: memories.id });
  await blankReceipts(ctx, tx, { ...input, ids: [...known, ...gone.map((row) => row.id)] });
  await raiseVersion(tx, input);
  if (gone.length > 0) await ctx.live.notify(tx, input.userId, 'memories', input.userId);
}

/** Removes every memory of a deleted session, also from the receipts of other sessions. */
export async function forgetSession(ctx: Live, tx: Tx, input: { userId: string; sessionId: string }): Promise<void> {
  const known = await findFactIds(tx, input.userId, eq(memories.sessionId, input.sessionId));
  const gone = await tx
    .delete(memories)
    .where(and(eq(memories.userId, input.userId), eq(memories.sessionId, input.sessionId)))
    .returning({ id: memories.id, agentId: memories.agentId });
  const [first] = gone;
  if (first === undefined) return;
  const ids = [...known, ...gone.map((row) => row.id)];
  await blankReceipts(ctx, tx, { userId: input.userId, agentId: first.agentId, ids });
  await ctx.live.notify(tx, input.userId, 'memories', input.userId);
}

/** Removes every memory of a deleted exchange, also from the receipts of others. */
export async function forgetExchange(ctx: Live, tx: Tx, input: ExchangeKey): Promise<void> {
  // By its session, which has an index.
  const said = sql`${memories.sessionId} = ${input.sessionId} and ${memories.taskId} = ${input.taskId}`;
  const known = await findFactIds(tx, input.userId, said);
  const gone = await tx
    .delete(memories)
    .where(and(eq(memories.userId, input.userId), said))
    .returning({ id: memories.id, agentId: memories.agentId });
  const [first] = gone;
  if (first === undefined) return;
  const ids = [...known, ...gone.map((row) => row.id)];
  await blankReceipts(ctx, tx, { userId: input.userId, agentId: first.agentId, ids });
  await ctx.live.notify(tx, input.userId, 'memories', input.userId);
}

/** Blanks what the caller's feature has forgotten in every receipt of an agent. */
export const blankInReceipts = (
  ctx: Live,
  tx: Tx,
  gone: { userId: string; agentId: string; ids: string[] },
): Promise<void> => blankReceipts(ctx, tx, gone);
