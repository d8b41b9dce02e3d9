import { and, eq } from 'drizzle-orm';
import type { Tx } from '../../platform/database/database.ts';
import { blankReceipts } from '../runs/runs.receipts.service.ts';
import { raiseVersion } from './memory.queries.ts';
import { memories } from './memory.table.ts';

/** Removes every memory of an agent, from its receipts too. Indexes that still hold them find no row behind an entry and inject nothing. */
export async function forgetAgent(tx: Tx, input: { userId: string; agentId: string }): Promise<void> {
  const gone = await tx
    .delete(memories)
    .where(and(eq(memories.userId, input.userId), eq(memories.agentId, input.agentId)))
    .returning({ id: memories.id });
  await blankReceipts(tx, { ...input, ids: gone.map((row) => row.id) });
  await raiseVersion(tx, input);
}

/** Removes every memory of a session that is deleted for good, from the receipts of other sessions too. */
export async function forgetSession(tx: Tx, input: { userId: string; sessionId: string }): Promise<void> {
  const gone = await tx
    .delete(memories)
    .where(and(eq(memories.userId, input.userId), eq(memories.sessionId, input.sessionId)))
    .returning({ id: memories.id, agentId: memories.agentId });
  const [first] = gone;
  if (first === undefined) return;
  await blankReceipts(tx, { userId: input.userId, agentId: first.agentId, ids: gone.map((row) => row.id) });
}
