import { and, asc, count, desc, eq, inArray, isNull, ne, or, type SQLWrapper, sql } from 'drizzle-orm';
import { union } from 'drizzle-orm/pg-core';
import type { Db, Tx } from '../../platform/database/database.ts';
import { findInOrder } from '../../platform/database/find-in-order.ts';
import { agentFiles, filePassages } from '../files/files.table.ts';
import { memories, memoryVectors, passageVectors } from './memory.table.ts';

const withVector = and(eq(memoryVectors.userId, memories.userId), eq(memoryVectors.memoryId, memories.id));
/** Not forgotten, and without a vector in this space. */
const lacking = (space: string) =>
  and(isNull(memories.forgottenAt), or(isNull(memoryVectors.space), ne(memoryVectors.space, space)));

/** Whether an agent and its account are still there: the words of what is being deleted go to no provider. */
const isLiving = (of: { userId: SQLWrapper; agentId: SQLWrapper }) =>
  sql`exists (select from agents a join "user" u on u.id = a.user_id
    where a.user_id = ${of.userId} and a.id = ${of.agentId} and a.deleted_at is null)`;

/** Memories of an agent without a vector, newest first: a question about the latest is most likely. */
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
    .where(and(eq(memories.userId, userId), eq(memories.agentId, agentId), lacking(space), isLiving(memories)))
    .orderBy(desc(memories.version), desc(memories.id))
    .limit(limit);

/** How many of a user's newest memories are looked at. */
const NEWEST_MAX = 64;

/** The user's newest memories that have no vector in this space, newest first; `of` limits them to an agent or a session. */
export async function findRecentMemories(
  db: Db,
  of: { userId: string; agentId?: string | undefined; sessionId?: string | undefined },
  space: string,
  limit: number,
) {
  const { userId, agentId, sessionId } = of;
  const scope = and(
    eq(memories.userId, userId),
    sessionId === undefined ? undefined : eq(memories.sessionId, sessionId),
  );
  const keep = isNull(memories.forgottenAt);
  const latest = await findInOrder(db, { table: memories, at: memories.createdAt, scope, keep, limit: NEWEST_MAX });
  if (latest.length === 0) return [];
  // Look up each vector by its key: without statistics, a join would read all of the user's vectors.
  const its = sql`(select v.space from ${memoryVectors} v where v.user_id = ${userId} and v.memory_id = ${memories.id})`;
  const ids = latest.map(({ id }) => id);
  return db
    .select({ id: memories.id, text: memories.text })
    .from(memories)
    .where(
      and(
        eq(memories.userId, userId),
        inArray(memories.id, ids),
        keep,
        agentId === undefined ? undefined : eq(memories.agentId, agentId),
        sql`${its} is distinct from ${space}`,
      ),
    )
    .orderBy(desc(memories.createdAt), desc(memories.id))
    .limit(limit);
}

const ofFile = and(eq(agentFiles.userId, filePassages.userId), eq(agentFiles.id, filePassages.fileId));
const withPassageVector = and(
  eq(passageVectors.userId, filePassages.userId),
  eq(passageVectors.passageId, filePassages.id),
);
/** A passage without a vector, in a file that is read and not deleted. */
const passageLacking = (space: string) =>
  and(
    isNull(agentFiles.deletedAt),
    eq(agentFiles.state, 'ready'),
    or(isNull(passageVectors.space), ne(passageVectors.space, space)),
  );

/** Passages of an agent's files without a vector, oldest first. */
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
    .where(
      and(
        eq(filePassages.userId, userId),
        eq(filePassages.agentId, agentId),
        passageLacking(space),
        isLiving(filePassages),
      ),
    )
    .orderBy(asc(filePassages.version), asc(filePassages.id))
    .limit(limit);

/** Gives memories a new version so that indexes load them again; returns those that aren't forgotten. */
export const raiseMemories = (tx: Tx, userId: string, ids: string[], version: number) =>
  tx
    .update(memories)
    .set({ version })
    .where(and(eq(memories.userId, userId), inArray(memories.id, ids), isNull(memories.forgottenAt)))
    .returning({ id: memories.id });

/** The same for passages; returns those that still exist. */
export const raisePassages = (tx: Tx, userId: string, ids: string[], version: number) =>
  tx
    .update(filePassages)
    .set({ version })
    .where(and(eq(filePassages.userId, userId), inArray(filePassages.id, ids)))
    .returning({ id: filePassages.id });

/** Agents of any user with memories or passages without a vector. */
export const findAgentsToEmbed = (db: Db, space: string, limit: number) =>
  union(
    db
      .select({ userId: memories.userId, agentId: memories.agentId })
      .from(memories)
      .leftJoin(memoryVectors, withVector)
      .where(and(lacking(space), isLiving(memories))),
    db
      .select({ userId: filePassages.userId, agentId: filePassages.agentId })
      .from(filePassages)
      .innerJoin(agentFiles, ofFile)
      .leftJoin(passageVectors, withPassageVector)
      .where(and(passageLacking(space), isLiving(filePassages))),
  ).limit(limit);

/** Counts a user's memories, and those that have a vector in this space. */
export async function countEmbedded(db: Db, userId: string, space: string): Promise<{ done: number; total: number }> {
  const [row] = await db
    .select({ total: count(), done: count(memoryVectors.memoryId) })
    .from(memories)
    .leftJoin(memoryVectors, and(withVector, eq(memoryVectors.space, space)))
    .where(and(eq(memories.userId, userId), isNull(memories.forgottenAt)));
  return { done: row?.done ?? 0, total: row?.total ?? 0 };
}
