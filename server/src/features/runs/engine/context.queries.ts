import { and, asc, desc, eq, gt, inArray, isNull, lte, or, sql } from 'drizzle-orm';
import type { Db, Tx } from '../../../platform/database/database.ts';
import { agents } from '../../agents/agents.table.ts';
import { memories } from '../../memory/memory.table.ts';
import { tasks } from '../runs.table.ts';
import { summaries } from '../summary.table.ts';

/**
 * The finished exchanges of a session before a task, newest first: the conversation for the model. Leaves out exchanges that omitted
 * memories came from, and answers that used them.
 */
export async function findHistory(
  db: Db,
  uid: string,
  sessionId: string,
  limit: number,
  without: readonly string[] = [],
  after?: Date,
) {
  return db
    .select({ inputText: tasks.inputText, message: tasks.message, readUntrusted: tasks.readUntrusted })
    .from(tasks)
    .where(
      and(
        eq(tasks.userId, uid),
        eq(tasks.sessionId, sessionId),
        or(eq(tasks.status, 'done'), and(eq(tasks.status, 'cancelled'), sql`${tasks.message} <> ''`)),
        after && gt(tasks.createdAt, after),
        without.length === 0 ? undefined : sql`${tasks.id} not in (${touchedBy(uid, without)})`,
      ),
    )
    .orderBy(desc(tasks.createdAt), desc(tasks.id))
    .limit(limit);
}

/** The exchanges that memories came from, and those that used them. */
const touchedBy = (uid: string, ids: readonly string[]) => sql`
  select coalesce(${memories.taskId}, ${memories.id}) from ${memories}
    where ${memories.userId} = ${uid} and ${inArray(memories.id, ids)}
  union select t.id from ${tasks} t, jsonb_array_elements(t.memory_used) item
    where t.user_id = ${uid} and item->>'id' in ${ids}`;

/** Whether one of these memories is an answer that may repeat other people's words; true when its exchange is unknown. */
export async function findTainted(db: Db, uid: string, ids: string[]): Promise<boolean> {
  if (ids.length === 0) return false;
  const rows = await db
    .select({ id: memories.id })
    .from(memories)
    .leftJoin(tasks, and(eq(tasks.userId, memories.userId), eq(tasks.id, memories.taskId)))
    .where(
      and(eq(memories.userId, uid), inArray(memories.id, ids), or(isNull(tasks.id), eq(tasks.readUntrusted, true))),
    )
    .limit(1);
  return rows.length > 0;
}

/** Whether an answer of a session, up to an instant, may repeat other people's words. */
export async function hasTainted(db: Db, uid: string, sessionId: string, until: Date): Promise<boolean> {
  const rows = await db
    .select({ id: tasks.id })
    .from(tasks)
    .where(
      and(
        eq(tasks.userId, uid),
        eq(tasks.sessionId, sessionId),
        eq(tasks.readUntrusted, true),
        lte(tasks.createdAt, until),
      ),
    )
    .limit(1);
  return rows.length > 0;
}

/** All memories to leave out with some: those of the same exchanges, and answers that used them. */
export async function findWithheld(db: Db, uid: string, ids: readonly string[]): Promise<string[]> {
  if (ids.length === 0) return [];
  const rows = await db
    .select({ id: memories.id })
    .from(memories)
    .where(and(eq(memories.userId, uid), sql`${memories.taskId} in (${touchedBy(uid, ids)})`));
  return [...new Set([...ids, ...rows.map((row) => row.id)])];
}

/** The summary of a session's beginning, if there is one. */
export async function findSummary(db: Db, uid: string, sessionId: string) {
  const [row] = await db
    .select()
    .from(summaries)
    .where(and(eq(summaries.userId, uid), eq(summaries.sessionId, sessionId)));
  return row;
}

/** The finished exchanges of a session after an instant, oldest first. */
export async function findExchangesAfter(
  db: Db,
  uid: string,
  sessionId: string,
  after: Date | undefined,
  limit: number,
) {
  return db
    .select({ inputText: tasks.inputText, message: tasks.message, createdAt: tasks.createdAt, model: tasks.model })
    .from(tasks)
    .where(
      and(
        eq(tasks.userId, uid),
        eq(tasks.sessionId, sessionId),
        eq(tasks.status, 'done'),
        after && gt(tasks.createdAt, after),
      ),
    )
    .orderBy(asc(tasks.createdAt), asc(tasks.id))
    .limit(limit);
}

/** The memories that a task left out. */
export async function findWithout(db: Db, uid: string, id: string): Promise<string[]> {
  const [row] = await db
    .select({ without: tasks.without })
    .from(tasks)
    .where(and(eq(tasks.userId, uid), eq(tasks.id, id)));
  return row?.without ?? [];
}

/** Whether an agent exists and has its memory on right now. */
export async function remembersNow(tx: Tx, uid: string, agentId: string): Promise<boolean> {
  const [agent] = await tx
    .select({ memoryEnabled: agents.memoryEnabled })
    .from(agents)
    .where(and(eq(agents.userId, uid), eq(agents.id, agentId), isNull(agents.deletedAt)));
  return agent?.memoryEnabled ?? false;
}
