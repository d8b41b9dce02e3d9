import { and, asc, count, eq, inArray, isNull, ne, or } from 'drizzle-orm';
import { union } from 'drizzle-orm/pg-core';
import type { Db, Tx } from '../../platform/database/database.ts';
import { agentFiles, filePassages } from '../files/files.table.ts';
import { memories, memoryVectors, passageVectors } from './memory.table.ts';

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

const ofFile = and(eq(agentFiles.userId, filePassages.userId), eq(agentFiles.id, filePassages.fileId));
const withPassageVector = and(
  eq(passageVectors.userId, filePassages.userId),
  eq(passageVectors.passageId, filePassages.id),
);
/** Of a file that is read and not deleted, and without a vector of this space. */
const passageLacking = (space: string) =>
  and(
    isNull(agentFiles.deletedAt),
    eq(agentFiles.state, 'ready'),
    or(isNull(passageVectors.space), ne(passageVectors.space, space)),
  );

/** Passages of an agent's files that lack a vector, oldest first. */
export const findPassagesToEmbed = (
  db: Db,
  { userId, agentId }: { userId: string; agentId: string },
  space: string,
  limit: number,
) =>
  db
    .select({ id: filePassages.id, text: filePassages.text })
    .from(filePassages)
    .innerJoin(agentFiles, ofFile)
    .leftJoin(passageVectors, withPassageVector)
    .where(and(eq(filePassages.userId, userId), eq(filePassages.agentId, agentId), passageLacking(space)))
    .orderBy(asc(filePassages.version), asc(filePassages.id))
    .limit(limit);

/** Gives passages a new version, by which the index fetches them anew; says which are still there. */
export const raisePassages = (tx: Tx, userId: string, ids: string[], version: number) =>
  tx
    .update(filePassages)
    .set({ version })
    .where(and(eq(filePassages.userId, userId), inArray(filePassages.id, ids)))
    .returning({ passageId: filePassages.id });

/** Agents with such memories or passages, of whomever. */
export const findAgentsToEmbed = (db: Db, space: string, limit: number) =>
  union(
    db
      .select({ userId: memories.userId, agentId: memories.agentId })
      .from(memories)
      .leftJoin(memoryVectors, withVector)
      .where(lacking(space)),
    db
      .select({ userId: filePassages.userId, agentId: filePassages.agentId })
      .from(filePassages)
      .innerJoin(agentFiles, ofFile)
      .leftJoin(passageVectors, withPassageVector)
      .where(passageLacking(space)),
  ).limit(limit);

/** How many living memories of a user there are, and how many have a vector of this space. */
export async function countEmbedded(db: Db, userId: string, space: string): Promise<{ done: number; total: number }> {
  const [row] = await db
    .select({ total: count(), done: count(memoryVectors.memoryId) })
    .from(memories)
    .leftJoin(memoryVectors, and(withVector, eq(memoryVectors.space, space)))
    .where(and(eq(memories.userId, userId), isNull(memories.forgottenAt)));
  return { done: row?.done ?? 0, total: row?.total ?? 0 };
}
