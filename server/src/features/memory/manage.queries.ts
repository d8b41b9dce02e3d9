import type { MemoriesQuery } from '@atelier/contract/memory';
import { and, asc, desc, eq, inArray, isNull, lt, or, sql } from 'drizzle-orm';
import type { Db } from '../../platform/database/database.ts';
import { allWords, matches, searchWords } from '../../platform/database/text-search.ts';
import type { Position } from '../../platform/http/cursor.ts';
import { agents } from '../agents/agents.table.ts';
import { tasks } from '../runs/runs.table.ts';
import { sessions } from '../sessions/sessions.table.ts';
import { memories, memoryWords } from './memory.table.ts';

/** A user's memories as they may see them: not forgotten, in a session and of an agent that are there. */
const managed = (db: Db) =>
  db
    .select({
      memory: memories,
      agentSlug: agents.slug,
      agentName: agents.name,
      sessionName: sessions.name,
      taskId: tasks.id,
    })
    .from(memories)
    .innerJoin(agents, and(eq(agents.userId, memories.userId), eq(agents.id, memories.agentId)))
    .innerJoin(sessions, and(eq(sessions.userId, memories.userId), eq(sessions.id, memories.sessionId)))
    .leftJoin(tasks, and(eq(tasks.userId, memories.userId), eq(tasks.id, memories.taskId)));
export type ManagedRow = Awaited<ReturnType<typeof managed>>[number];

const living = (uid: string) =>
  and(eq(memories.userId, uid), isNull(memories.forgottenAt), isNull(sessions.deletedAt), isNull(agents.deletedAt));

/** A page of them, latest first. */
export const findMemories = (db: Db, uid: string, query: MemoriesQuery, after: Position | undefined, limit: number) => {
  const words = searchWords(query.q ?? '');
  return managed(db)
    .where(
      and(
        living(uid),
        query.agentId === undefined ? undefined : eq(agents.slug, query.agentId),
        query.sessionId === undefined ? undefined : eq(memories.sessionId, query.sessionId),
        query.kind === undefined ? undefined : eq(memories.kind, query.kind),
        query.pinned === undefined ? undefined : eq(memories.pinned, true),
        words.length === 0 ? undefined : matches(memoryWords, allWords(words)),
        after && or(lt(memories.createdAt, after.at), and(eq(memories.createdAt, after.at), lt(memories.id, after.id))),
      ),
    )
    .orderBy(desc(memories.createdAt), desc(memories.id))
    .limit(limit);
};

export const findMemory = (db: Db, uid: string, id: string) =>
  managed(db)
    .where(and(living(uid), eq(memories.id, id)))
    .limit(1);

export const findMemoriesByIds = (db: Db, uid: string, ids: string[]) =>
  managed(db).where(and(living(uid), inArray(memories.id, ids)));

/** What is pinned and may be given in this session: of all its agent's sessions, or of this one alone. */
export const findPinned = (
  db: Db,
  query: { userId: string; agentId: string; sessionId: string; scope: 'session' | 'agent' },
  limit: number,
) =>
  managed(db)
    .where(
      and(
        living(query.userId),
        eq(memories.agentId, query.agentId),
        eq(memories.pinned, true),
        query.scope === 'session' ? eq(memories.sessionId, query.sessionId) : undefined,
      ),
    )
    .orderBy(asc(memories.createdAt), asc(memories.id))
    .limit(limit);

/** Every shape that memories had: those that a person edited, and what they were before. */
export const findShapes = (db: Db, uid: string, origins: string[]) =>
  db
    .select({ id: memories.id })
    .from(memories)
    .where(and(eq(memories.userId, uid), or(inArray(memories.id, origins), inArray(memories.originId, origins))));

/** What an agent said in the exchanges in which these memories were told or given to it. */
export const findAnswersAbout = (
  db: Db,
  agent: { userId: string; agentId: string },
  told: { ids: string[]; taskIds: string[] },
) => {
  const given = db
    .select({ id: tasks.id })
    .from(tasks)
    .where(
      and(
        eq(tasks.userId, agent.userId),
        eq(tasks.agentId, agent.agentId),
        sql`exists (select 1 from jsonb_array_elements(${tasks.memoryUsed}) item
          where item->>'id' in (select jsonb_array_elements_text(${JSON.stringify(told.ids)}::jsonb)))`,
      ),
    );
  return db
    .select({ id: memories.id, text: memories.text })
    .from(memories)
    .where(
      and(
        eq(memories.userId, agent.userId),
        eq(memories.agentId, agent.agentId),
        eq(memories.kind, 'agent'),
        isNull(memories.forgottenAt),
        or(inArray(memories.taskId, told.taskIds), inArray(memories.taskId, given)),
      ),
    );
};
