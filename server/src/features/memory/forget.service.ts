import { and, eq } from 'drizzle-orm';
import type { Tx } from '../../platform/database/database.ts';
import type { Deps } from '../../platform/deps.ts';
import { raiseVersion } from './memory.queries.ts';
import { memories } from './memory.table.ts';
import { blankReceipts } from './receipts.queries.ts';

type Live = Pick<Deps, 'live'>;

/** Removes every memory of an agent, also from its receipts. An index may still list them, but recall finds no row and injects nothing. */
export async function forgetAgent(ctx: Live, tx: Tx, input: { userId: string; agentId: string }): Promise<void> {
  const gone = await tx
    .delete(memories)
    .where(and(eq(memories.userId, input.userId), eq(memories.agentId, input.agentId)))
    .returning({ id: memories.id });
  await blankReceipts(ctx, tx, { ...input, ids: gone.map((row) => row.id) });
  await raiseVersion(tx, input);
  if (gone.length > 0) await ctx.live.notify(tx, input.userId, 'memories', input.userId);
}

/** Removes every memory of a deleted session, also from the receipts of other sessions. */
export async function forgetSession(ctx: Live, tx: Tx, input: { userId: string; sessionId: string }): Promise<void> {
  const gone = await tx
    .delete(memories)
    .where(and(eq(memories.userId, input.userId), eq(memories.sessionId, input.sessionId)))
    .returning({ id: memories.id, agentId: memories.agentId });
  const [first] = gone;
  if (first === undefined) return;
  await blankReceipts(ctx, tx, { userId: input.userId, agentId: first.agentId, ids: gone.map((row) => row.id) });
  await ctx.live.notify(tx, input.userId, 'memories', input.userId);
}
