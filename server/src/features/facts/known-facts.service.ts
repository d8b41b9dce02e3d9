import { type SQL, sql } from 'drizzle-orm';

/** How many of an agent's facts a run may choose from, the newest first. */
const READ_MAX = 300;

/** A fact as the database packs it for a run. */
type PackedFact = [
  id: string,
  text: string,
  about: string,
  pinned: boolean,
  state: 'current' | 'replaced' | 'forgotten',
  corrected: boolean,
  at: number,
  sessionId: string,
  sessionName: string,
  memoryId: string,
  /** The later fact that made it untrue. */
  replacedBy: string | null,
  /** Which sentence of which memory the person has overruled; both null otherwise. */
  sentence: number | null,
  said: string | null,
];

/** A subquery with all that a run needs of an agent's facts; `pinned` is `agent`, `session` or `none`. */
export function packedFacts(of: { userId: SQL; agentId: SQL; sessionId: SQL; scope: SQL }) {
  const milliseconds = (instant: SQL) => sql`floor(extract(epoch from ${instant}) * 1000)`;
  return sql<
    PackedFact[] | null
  >`(select json_agg(json_build_array(k.id, k.text, k.about, k.pinned, k.state, k.corrected, k.at,
      k.session_id, k.session_name, k.memory_id, k.replaced_by, k.sentence, k.said)) from (
    select f.id, f.text, f.about, f.pinned, f.corrected_at is not null as corrected, m.session_id, s.name as session_name, f.memory_id, n.id as replaced_by,
      case when f.forgotten_at is not null then 'forgotten' when n.id is not null or f.same_as is not null then 'replaced'
        else 'current' end as state,
      ${milliseconds(sql`coalesce(f.corrected_at, m.created_at)`)} as at, f.sentence,
      case when f.corrected_at is not null or f.forgotten_at is not null then m.text end as said
    from facts f
      join memories m on m.user_id = f.user_id and m.id = f.memory_id and m.forgotten_at is null
      join chat_sessions s on s.user_id = m.user_id and s.id = m.session_id and s.deleted_at is null
      left join facts n on n.user_id = f.user_id and n.id = f.replaced_by and n.forgotten_at is null
    where ${of.scope} <> 'none' and f.user_id = ${of.userId} and f.agent_id = ${of.agentId}
      and (${of.scope} = 'agent' or m.session_id = ${of.sessionId})
    order by f.created_at desc, f.id desc limit ${sql.raw(String(READ_MAX))}) k)`;
}

/** Unpacks what `packedFacts` read. */
export const unpackFacts = (packed: PackedFact[] | null) =>
  (packed ?? []).map(
    ([
      id,
      text,
      about,
      pinned,
      state,
      corrected,
      at,
      sessionId,
      sessionName,
      memoryId,
      replacedBy,
      sentence,
      said,
    ]) => ({
      id,
      text,
      about,
      pinned,
      state,
      corrected,
      timestamp: new Date(at).toISOString(),
      sessionId,
      sessionName,
      memoryId,
      replacedBy,
      sentence,
      said,
    }),
  );
export type KnownForRun = ReturnType<typeof unpackFacts>[number];
