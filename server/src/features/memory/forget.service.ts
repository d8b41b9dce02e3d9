import { and, eq } from 'drizzle-orm';
import type { Tx } from '../../platform/database/database.ts';
import { raiseVersion } from './memory.queries.ts';
import { memories } from './memory.table.ts';

/** Removes every memory of an agent. Indexes that still hold them find no row behind an entry and inject nothing. */
export async function forgetAgent(tx: Tx, input: { userId: string; agentId: string }): Promise<void> {
  await tx.delete(memories).where(and(eq(memories.userId, input.userId), eq(memories.agentId, input.agentId)));
  await raiseVersion(tx, input);
}
