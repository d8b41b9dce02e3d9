import { FACTS_LISTED, type FactsQuery } from '@atelier/contract/facts';
import {
  and,
  asc,
  desc,
  eq,
  inArray,
  isNotNull,
  isNull,
  lt,
  not,
  or,
  type SQL,
  type SQLWrapper,
  sql,
} from 'drizzle-orm';
import { boolean, text, uuid } from 'drizzle-orm/pg-core';
import type { Db, Tx } from '../../platform/database/database.ts';
import { sqlFunction } from '../../platform/database/sql-function.ts';
import { containsWords } from '../../platform/database/text-search.ts';
import { profiles } from '../accounts/accounts.table.ts';
import { agents } from '../agents/agents.table.ts';
import { memories } from '../memory/memory.table.ts';
import { isOnPath } from '../runs/places.table.ts';
import { tasks } from '../runs/runs.table.ts';
import { sessions } from '../sessions/sessions.table.ts';
import { factSettings, facts } from './facts.table.ts';

const atelierFactHolds = sqlFunction(
  'atelier_fact_holds',
  { userId: text('_uid').notNull(), memoryId: uuid('_memory').notNull() },
  boolean().notNull(),
);
const atelierLaterFact = sqlFunction(
  'atelier_later_fact',
  { userId: text('_uid').notNull(), replacedBy: uuid('_replaced_by'), sameAs: uuid('_same_as') },
  uuid(),
);

/** A fact in a statement: the columns of a row, under any alias. */
interface FactColumns {
  userId: SQLWrapper;
  memoryId: SQLWrapper;
  replacedBy: SQLWrapper;
  sameAs: SQLWrapper;
}

/** Whether what states a fact is on the chosen path of its session; on a path that the person left, it states nothing. */
const holds = ({ userId, memoryId }: Pick<FactColumns, 'userId' | 'memoryId'>) =>
  atelierFactHolds.call({ userId, memoryId });

/** Whether a fact repeats an earlier one that is on the path; otherwise it stands for itself. */
const isRepetition = ({ userId, sameAs }: FactColumns): SQL<boolean> =>
  sql<boolean>`(${sameAs} is not null and exists (select from facts he where he.user_id = ${userId} and he.id = ${sameAs}
    and ${holds({ userId: sql`he.user_id`, memoryId: sql`he.memory_id` })}))`;

/** The later fact that made one untrue. */
const laterFact = ({ userId, replacedBy, sameAs }: FactColumns): SQL<string | null> =>
  sql<string | null>`case when ${replacedBy} is not null or ${sameAs} is not null
    then ${atelierLaterFact.call({ userId, replacedBy, sameAs })} end`;

export interface AgentKey {
  userId: string;
  agentId: string;
}

const ofMemory = and(eq(memories.userId, facts.userId), eq(memories.id, facts.memoryId));
/** A fact in a list of its own: not forgotten, said on a chosen path, and not a repetition of another. */
const isListed = and(
  isNull(facts.forgottenAt),
  isNull(memories.forgottenAt),
  isOnPath(memories.userId, memories.taskId),
  not(isRepetition(facts)),
);

/**
 * A user's facts with their origin, as far as agent and session are not deleted. Memories are looked up one at a time: without statistics, a
 * planner would rather read all of the user's.
 */
const listed = (db: Db) =>
  db
    .select({
      fact: facts,
      agentSlug: agents.slug,
      agentName: agents.name,
      saidAt: memories.createdAt,
      sessionId: memories.sessionId,
      sessionName: sessions.name,
      taskId: tasks.id,
      replacedBy: laterFact(facts),
      supersedes: sql<
        string | null
      >`(select o.id from facts o where o.user_id = ${facts.userId} and o.replaced_by = ${facts.id}
        and o.forgotten_at is null and ${holds({ userId: sql`o.user_id`, memoryId: sql`o.memory_id` })} order by o.created_at desc, o.id desc limit 1)`,
    })
    .from(facts)
    .innerJoinLateral(db.select().from(memories).where(ofMemory).limit(1).as('memories'), sql`true`)
    .innerJoin(agents, and(eq(agents.userId, facts.userId), eq(agents.id, facts.agentId), isNull(agents.deletedAt)))
    .innerJoin(
      sessions,
      and(eq(sessions.userId, memories.userId), eq(sessions.id, memories.sessionId), isNull(sessions.deletedAt)),
    )
    .leftJoin(tasks, and(eq(tasks.userId, memories.userId), eq(tasks.id, memories.taskId)));
export type ListedRow = Awaited<ReturnType<typeof findFact>>[number];

/** The user's facts that contain every word, newest first; one more than are listed, if there are so many. */
export const findFacts = (db: Db, userId: string, { agentId, q = '' }: FactsQuery) => {
  const contains = containsWords(sql`concat_ws(' ', ${facts.text}, ${facts.about})`, q);
  const wanted = agentId === undefined ? undefined : eq(agents.slug, agentId);
  return listed(db)
    .where(and(eq(facts.userId, userId), isListed, wanted, contains))
    .orderBy(desc(memories.createdAt), desc(facts.id))
    .limit(FACTS_LISTED + 1);
};

export const findFact = (db: Db, userId: string, id: string) =>
  listed(db)
    .where(and(eq(facts.userId, userId), eq(facts.id, id), isListed))
    .limit(1);

/** What a person said in an exchange that no fact was distilled from yet, in order, with what decides how it is distilled. */
export const findStated = (db: Db, userId: string, taskId: string) =>
  db
    .select({
      id: memories.id,
      agentId: memories.agentId,
      text: memories.text,
      saidAt: memories.createdAt,
      model: agents.model,
      plan: profiles.subscriptionStatus,
      distil: sql<boolean>`coalesce(${factSettings.distil}, true)`,
    })
    .from(memories)
    .innerJoin(
      agents,
      and(eq(agents.userId, memories.userId), eq(agents.id, memories.agentId), isNull(agents.deletedAt)),
    )
    .leftJoin(profiles, eq(profiles.userId, memories.userId))
    .leftJoin(factSettings, eq(factSettings.userId, memories.userId))
    .where(
      and(
        eq(memories.userId, userId),
        eq(memories.taskId, taskId),
        eq(memories.kind, 'person'),
        isNull(memories.speaker),
        isNull(memories.forgottenAt),
        sql`not exists (select from facts f where f.user_id = ${memories.userId} and f.memory_id = ${memories.id}
          and f.sentence is not null)`,
      ),
    )
    .orderBy(asc(memories.id));

/** Locks an agent for the transaction that places facts: two at once would not see each other's. */
export const lockAgent = (tx: Tx, { userId, agentId }: AgentKey) =>
  tx
    .select({ id: agents.id })
    .from(agents)
    .where(and(eq(agents.userId, userId), eq(agents.id, agentId)))
    .for('update');

/** All facts of an agent with when they were said, newest first: what a new one is compared with. */
export function findFactsToCompare(db: Db, { userId, agentId }: AgentKey, limit: number) {
  const { id, memoryId, text: words, about, statement, correctedAt, forgottenAt, replacedBy, sameAs } = facts;
  const compared = { id, memoryId, text: words, about, statement, correctedAt, forgottenAt, replacedBy, sameAs };
  return db
    .select({ ...compared, saidAt: memories.createdAt })
    .from(facts)
    .innerJoin(memories, ofMemory)
    .where(and(eq(facts.userId, userId), eq(facts.agentId, agentId)))
    .orderBy(desc(facts.createdAt), desc(id))
    .limit(limit);
}
export type ComparableFact = Awaited<ReturnType<typeof findFactsToCompare>>[number];

/** Whether a memory is still there, locked until the end of the transaction: it may be forgotten meanwhile. */
export const lockSources = (tx: Tx, userId: string, ids: string[]) =>
  tx
    .select({ id: memories.id })
    .from(memories)
    .where(and(eq(memories.userId, userId), inArray(memories.id, ids), isNull(memories.forgottenAt)))
    .for('share');

/** A fact and those that repeat it. */
export const withRepetitions = (userId: string, id: string) =>
  and(eq(facts.userId, userId), or(eq(facts.id, id), eq(facts.sameAs, id)));

/** How many of an agent's facts are pinned. */
export const countPinned = (tx: Tx, { userId, agentId }: AgentKey) =>
  tx.$count(facts, and(eq(facts.userId, userId), eq(facts.agentId, agentId), facts.pinned, isNull(facts.forgottenAt)));

/** Removes the words of facts forgotten before the time for undo; the rows stay, so that they are not distilled again. */
export const blankForgotten = (db: Db, userId: string, id: string, seconds: number) =>
  db
    .update(facts)
    .set({ text: '', about: '' })
    .where(
      and(
        withRepetitions(userId, id),
        isNotNull(facts.forgottenAt),
        lt(facts.forgottenAt, sql`now() - make_interval(secs => ${seconds})`),
      ),
    );
