import { and, asc, count, eq, isNull, ne, or } from 'drizzle-orm';
import type { Db } from '../../platform/database/database.ts';
import { memories, memoryVectors } from './memory.table.ts';

const withVector = and(eq(memoryVectors.userId, memories.userId), eq(memoryVectors.memoryId, memories.id));
/** Living, and without a vector of this space. */
const lacking = (space: string) =>
  and(isNull(memories.forgottenAt), or(isNull(memoryVectors.space), ne(memoryVectors.space, space)));

/** Memories of an agent that lack a vector, oldest first. */
export const findToEmbed = (
  db: Db,
  { userId, agentId }: { userId: string; agentId: string },
  space: string,
  limit: number,
) =>
  db
    .select({ id: memories.id, text: memories.text })
    .from(memories)
    .leftJoin(memoryVectors, withVector)
    .where(and(eq(memories.userId, userId), eq(memories.agentId, agentId), lacking(space)))
    .orderBy(asc(memories.version), asc(memories.id))
    .limit(limit);

/** Agents with such memories, of whomever. */
export const findAgentsToEmbed = (db: Db, space: string, limit: number) =>
  db
    .selectDistinct({ userId: memories.userId, agentId: memories.agentId })
    .from(memories)
    .leftJoin(memoryVectors, withVector)
    .where(lacking(space))
    .limit(limit);

/** How many living memories of a user there are, and how many have a vector of this space. */
export async function countEmbedded(db: Db, userId: string, space: string): Promise<{ done: number; total: number }> {
  const [row] = await db
    .select({ total: count(), done: count(memoryVectors.memoryId) })
    .from(memories)
    .leftJoin(memoryVectors, and(withVector, eq(memoryVectors.space, space)))
    .where(and(eq(memories.userId, userId), isNull(memories.forgottenAt)));
  return { done: row?.done ?? 0, total: row?.total ?? 0 };
}
