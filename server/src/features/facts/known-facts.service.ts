import { type SQL, sql } from 'drizzle-orm';
import { isRepetition, isSaidOnPath, laterFact } from './held-facts.queries.ts';

/** How many of an agent's facts a run may choose from, the newest first. */
const READ_MAX = 300;

/** What a run needs of a fact. */
export interface KnownForRun {
  id: string;
  text: string;
  about: string;
  pinned: boolean;
  state: 'current' | 'replaced' | 'forgotten';
  corrected: boolean;
  /** When it was stated or corrected. */
  timestamp: string;
  sessionId: string;
  sessionName: string;
  memoryId: string;
  /** The later fact that made it untrue. */
  replacedBy: string | null;
  /** Which sentence of `said` states it; null once the memory was edited. */
  sentence: number | null;
  /** The memory's text when the person has corrected or forgotten the fact; null otherwise. */
  said: string | null;
}

/** A fact in the database's JSON: a time in milliseconds. */
type PackedFact = Omit<KnownForRun, 'timestamp'> & { at: number };

const M = { userId: sql`m.user_id`, taskId: sql`m.task_id` };
const F = {
  userId: sql`f.user_id`,
  memoryId: sql`f.memory_id`,
  replacedBy: sql`f.replaced_by`,
  sameAs: sql`f.same_as`,
};

/**
 * A subquery with all that a run needs of an agent's facts; `scope` is `agent`, `session` or `none`. One row at a time: without statistics, a
 * planner would rather read all of the owner's memories.
 */
export function packedFacts(of: { userId: SQL; agentId: SQL; sessionId: SQL; scope: SQL }) {
  return sql<PackedFact[] | null>`(select json_agg(k) from (
    select f.id, f.text, f.about, f.pinned, f.sentence,
      case when f.forgotten_at is not null then 'forgotten' when f.later is not null or ${isRepetition(F)} then 'replaced'
        else 'current' end as state,
      f.corrected_at is not null as corrected,
      floor(extract(epoch from coalesce(f.corrected_at, m.created_at)) * 1000) as at,
      m.session_id as "sessionId", s.name as "sessionName", f.memory_id as "memoryId", f.later as "replacedBy",
      case when f.corrected_at is not null or f.forgotten_at is not null then m.text end as said
    from (select f.*, ${laterFact(F)} as later from facts f where f.user_id = ${of.userId} and f.agent_id = ${of.agentId}) f
      cross join lateral (select * from memories m where m.user_id = f.user_id and m.id = f.memory_id limit 1) m
      cross join lateral (select * from chat_sessions s where s.user_id = m.user_id and s.id = m.session_id limit 1) s
    where ${of.scope} <> 'none' and m.forgotten_at is null and s.deleted_at is null and ${isSaidOnPath(M)}
      and (${of.scope} = 'agent' or m.session_id = ${of.sessionId})
    order by f.created_at desc, f.id desc limit ${sql.raw(String(READ_MAX))}) k)`;
}

/** What `packedFacts` read, newest first. */
export const unpackFacts = (packed: PackedFact[] | null): KnownForRun[] =>
  (packed ?? []).map(({ at, ...fact }) => ({ ...fact, timestamp: new Date(at).toISOString() }));
