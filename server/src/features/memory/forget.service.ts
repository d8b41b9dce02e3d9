import { and, eq, sql } from 'drizzle-orm';
import type { Tx } from '../../platform/database/database.ts';
import { agents } from '../agents/agents.table.ts';
import { memories } from './memory.table.ts';

/** Removes every memory of an agent. Indexes that still hold them find no row behind an entry and inject nothing. */
export async function forgetAgent(tx: Tx, input: { userId: string; agentId: string }): Promise<void> {
  await tx.delete(memories).where(and(eq(memories.userId, input.userId), eq(memories.agentId, input.agentId)));
  await tx
    .update(agents)
    .set({ memoryVersion: sql`${agents.memoryVersion} + 1` })
    .where(and(eq(agents.userId, input.userId), eq(agents.id, input.agentId)));
}
