import type { MemoriesQuery } from '@atelier/contract/memory';
import { and, asc, desc, eq, inArray, isNull, not, or, type SQL, sql } from 'drizzle-orm';
import type { Db } from '../../platform/database/database.ts';
import { findInOrder } from '../../platform/database/find-in-order.ts';
import { fitsWords, ofOwner, type Term } from '../../platform/database/text-search.ts';
import type { Position } from '../../platform/http/cursor.ts';
import { agents } from '../agents/agents.table.ts';
import { isOnPath } from '../runs/places.table.ts';
import { receiptIds, tasks } from '../runs/runs.table.ts';
import { sessions } from '../sessions/sessions.table.ts';
import { memories } from './memory.table.ts';

/** A user's memories with their origin. Each is looked up by its key; otherwise a short list would read many rows. */
const managed = (db: Db) => {
  const agent = db
    .select({ slug: agents.slug, name: agents.name, deletedAt: agents.deletedAt })
    .from(agents)
    .where(and(eq(agents.userId, memories.userId), eq(agents.id, memories.agentId)))
    .limit(1)
    .as('agent');
  const session = db
    .select({ name: sessions.name, deletedAt: sessions.deletedAt })
    .from(sessions)
    .where(and(eq(sessions.userId, memories.userId), eq(sessions.id, memories.sessionId)))
    .limit(1)
    .as('session');
  const task = db
    .select({ id: tasks.id })
    .from(tasks)
    .where(and(eq(tasks.userId, memories.userId), eq(tasks.id, memories.taskId)))
    .limit(1)
    .as('task');
  return db
    .select({
      memory: memories,
      agentSlug: agent.slug,
      agentName: agent.name,
      sessionName: session.name,
      taskId: task.id,
    })
    .from(memories)
    .innerJoinLateral(agent, isNull(agent.deletedAt))
    .innerJoinLateral(session, isNull(session.deletedAt))
    .leftJoinLateral(task, sql`true`);
};
export type ManagedRow = Awaited<ReturnType<typeof managed>>[number];

/** What was said on a path that the person left is not listed. */
const onPath = isOnPath(memories.userId, memories.taskId);

/** In a session and of an agent that are not deleted, and on the session's chosen path. Uses keys only; any other condition would read a whole index for every memory. */
const inPlace = sql`(select s.deleted_at is null from ${sessions} s where s.user_id = ${memories.userId} and s.id = ${memories.sessionId})
  and ${onPath} and (select a.deleted_at is null from ${agents} a where a.user_id = ${memories.userId} and a.id = ${memories.agentId})`;

const living = (uid: string) => and(eq(memories.userId, uid), isNull(memories.forgottenAt));

/** The filters of a list, and where its next page begins. */
export interface ListedAs {
  terms: readonly Term[];
  /** Leave out memories that match these terms: they were found already. */
  without?: readonly Term[] | undefined;
  /** Only memories of this agent, by its hidden key. */
  agentKey?: string | undefined;
  after?: Position | undefined;
  limit: number;
}

type Narrowed = Pick<MemoriesQuery, 'agentId' | 'sessionId' | 'kind' | 'pinned'>;

/** A page of the user's visible memories, newest first. */
export async function findMemories(db: Db, uid: string, query: Narrowed, listed: ListedAs) {
  const { terms: words, without, agentKey, after, limit } = listed;
  const ofAgent = sql`${memories.agentId} in (select a.id from ${agents} a where a.user_id = ${uid} and a.slug = ${query.agentId} and a.deleted_at is null)`;
  const keys = await findInOrder(db, {
    table: memories,
    at: memories.createdAt,
    // Each filter has an index of its own.
    scope: and(
      eq(memories.userId, uid),
      query.sessionId === undefined ? undefined : eq(memories.sessionId, query.sessionId),
      query.pinned === undefined ? undefined : memories.pinned,
    ),
    keep: and(
      isNull(memories.forgottenAt),
      query.kind === undefined ? undefined : eq(memories.kind, query.kind),
      query.agentId === undefined ? undefined : ofAgent,
      agentKey === undefined ? undefined : eq(memories.agentId, agentKey),
      without === undefined ? undefined : not(fitsWords(memories, without)),
      inPlace,
    ),
    words,
    mark: ofOwner(uid),
    after,
    limit,
  });
  const ids = keys.map(({ id }) => id);
  return findMemoriesByIds(db, uid, ids);
}

export const findMemory = (db: Db, uid: string, id: string) =>
  managed(db)
    .where(and(living(uid), eq(memories.id, id)))
    .limit(1);

/** The user's visible memories among these ids, newest first, without those that match certain words. */
export const findMemoriesByIds = async (db: Db, uid: string, ids: string[], without?: readonly Term[]) =>
  ids.length === 0
    ? []
    : managed(db)
        .where(
          and(
            living(uid),
            inArray(memories.id, ids),
            onPath,
            without === undefined ? undefined : not(fitsWords(memories, without)),
          ),
        )
        .orderBy(desc(memories.createdAt), desc(memories.id));

/** The ids of every version of these memories, earlier ones included. */
export async function findShapes(db: Db, uid: string, of: readonly { id: string; originId: string | null }[]) {
  const origins = of.map((row) => row.originId ?? row.id);
  const isOne = or(inArray(memories.id, origins), inArray(memories.originId, origins));
  const rows = await db
    .select({ id: memories.id })
    .from(memories)
    .where(and(eq(memories.userId, uid), isOne));
  return rows.map(({ id }) => id);
}

/** Some of the agent's answers in exchanges that these memories came from or were used in, in order. */
export const findAnswersAbout = (
  db: Db,
  agent: { userId: string; agentId: string },
  statements: { ids: string[]; taskIds: string[] },
  some: SQL,
) => {
  const answerIds = db
    .select({ id: tasks.id })
    .from(tasks)
    .where(
      and(
        eq(tasks.userId, agent.userId),
        eq(tasks.agentId, agent.agentId),
        sql`${receiptIds(sql`${tasks.memoryUsed}`)} ?| array(select jsonb_array_elements_text(${JSON.stringify(statements.ids)}::jsonb))`,
      ),
    );
  return db
    .select({ id: memories.id, originId: memories.originId, text: memories.text })
    .from(memories)
    .where(
      and(
        eq(memories.userId, agent.userId),
        eq(memories.agentId, agent.agentId),
        eq(memories.kind, 'agent'),
        isNull(memories.forgottenAt),
        some,
        or(inArray(memories.taskId, statements.taskIds), inArray(memories.taskId, answerIds)),
      ),
    )
    .orderBy(asc(memories.id));
};
