import { PINNED_MAX } from '@atelier/contract/memory';
import { and, asc, eq, gt, inArray, isNull, or, sql } from 'drizzle-orm';
import type { Db } from '../../../platform/database/database.ts';
import { listOf, milliseconds, prepareOnce } from '../../../platform/database/prepared.ts';
import { agents } from '../../agents/agents.table.ts';
import { packedFacts, unpackFacts } from '../../facts/known-facts.service.ts';
import { memories } from '../../memory/memory.table.ts';
import { isOnPath, taskPlaces } from '../places.table.ts';
import { type TaskRow, tasks } from '../runs.table.ts';
import { summaries } from '../summary.table.ts';

/** What is read for a run before its model is asked. */
export interface ContextQuery {
  uid: string;
  agentId: string;
  sessionId: string;
  /** Whose pinned memories go along: the agent's, this session's, or none. */
  pinned: 'agent' | 'session' | 'none';
  /** Exchanges to leave out. */
  withheld: readonly string[];
  /** False when memories are left out: the summary could contain their words. */
  withSummary: boolean;
}

/** An exchange as the database packs it. */
type PackedExchange = [
  inputText: string,
  message: string,
  readUntrusted: boolean,
  calls: EarlierCall[] | null,
  attachments: TaskRow['attachments'],
];
/** A tool's answer in an earlier exchange, as the database packs it; both as the beginning of their text. */
export type EarlierCall = [tool: string, input: string, answer: string];
/** A pinned memory as the database packs it. */
type PackedPinned = [
  id: string,
  kind: 'person' | 'agent',
  text: string,
  at: number,
  sessionId: string,
  sessionName: string,
  quotesOthers: boolean,
  taskId: string | null,
];

const at = sql.placeholder;

/** From how many of the newest exchanges the tools' answers go along, and how much of each. */
const TOOL_EXCHANGES = 8;
const TOOL_INPUT = 500;
const TOOL_ANSWER = 8_000;
/** What these find is recalled for every message anyway, without what was forgotten or deleted since. */
const RECALLED = ['search_memory', 'search_files'];

/** The answers of an exchange's tools, where it is among the newest. */
const callsOfExchange = sql`case when h.place <= ${TOOL_EXCHANGES} and h.tool_calls <> '[]' then (
  select json_agg(json_build_array(c->>'name', left(c->>'input', ${TOOL_INPUT}), left(c->>'output', ${TOOL_ANSWER})) order by n)
  from jsonb_array_elements(h.tool_calls) with ordinality as e(c, n)
  where c->>'state' = 'done' and c->>'name' not in ${RECALLED}) end`;

/** By its key: without statistics, a planner would rather read all of the owner's exchanges. By name, because a row has many columns. */
const taskOfPlace = sql`(select t.id, t.status, t.input_text, t.message, t.read_untrusted, t.tool_calls, t.attachments
  from tasks t where t.user_id = p.user_id and t.id = p.task_id limit 1)`;

const contextStatement = prepareOnce((db) => {
  const history = sql`
    select h.input_text, h.message, h.read_untrusted, h.tool_calls, h.attachments,
      row_number() over (order by p.created_at desc, p.task_id desc) as place
    from task_places p cross join lateral ${taskOfPlace} h
    where p.user_id = ${agents.userId} and p.session_id = ${at('sessionId')} and p.on_path
      and (h.status = 'done' or (h.status = 'cancelled' and h.message <> ''))
      and (${summaries.until} is null or p.created_at > ${summaries.until})
      and h.id <> all(${at('withheld')}::uuid[])
    order by p.created_at desc, p.task_id desc limit ${at('exchanges')}::integer`;
  // The agent is not compared with `=`: without statistics, a planner would read all of its memories for the few that are pinned.
  const pinned = sql`
    select m.id, m.kind, m.text, m.created_at, m.session_id, s.name, m.task_id,
      m.kind = 'agent' and coalesce((select t.read_untrusted from tasks t where t.user_id = m.user_id and t.id = m.task_id), true) as quotes
    from memories m cross join lateral (select s.name, s.deleted_at from chat_sessions s where s.user_id = m.user_id and s.id = m.session_id limit 1) s
    where ${at('pinned')} <> 'none' and s.deleted_at is null and m.user_id = ${agents.userId} and m.pinned and m.agent_id is not distinct from ${agents.id} and m.forgotten_at is null
      and (${at('pinned')} = 'agent' or m.session_id = ${at('sessionId')}) and ${isOnPath(sql`m.user_id`, sql`m.task_id`)}
    order by m.created_at, m.id limit ${PINNED_MAX}`;
  return db
    .select({
      version: agents.memoryVersion,
      summary: summaries,
      history: sql<
        PackedExchange[] | null
      >`(select json_agg(json_build_array(input_text, message, read_untrusted, ${callsOfExchange}, h.attachments)) from (${history}) h)`,
      pinned: sql<
        PackedPinned[] | null
      >`(select json_agg(json_build_array(id, kind, text, ${milliseconds(sql`created_at`)},
        session_id, name, quotes, task_id)) from (${pinned}) m)`,
      facts: packedFacts({
        userId: sql`${agents.userId}`,
        agentId: sql`${agents.id}`,
        sessionId: sql`${at('sessionId')}::uuid`,
        scope: sql`${at('pinned')}`,
      }),
      isFirst: sql<boolean>`not exists (select from task_places p cross join lateral ${taskOfPlace} f
        where p.user_id = ${agents.userId} and p.session_id = ${at('sessionId')} and p.on_path and f.status = 'done')`,
    })
    .from(agents)
    .leftJoin(
      summaries,
      and(
        eq(summaries.userId, agents.userId),
        eq(summaries.sessionId, at('sessionId')),
        sql`${at('withSummary')}::boolean`,
      ),
    )
    .where(and(eq(agents.userId, at('uid')), eq(agents.id, at('agentId'))))
    .prepare('run_context');
});

/**
 * Everything that a run needs from the database but its memories, in one statement: the summary of the session's beginning, the finished
 * exchanges after it (newest first, at most `exchanges`), the pinned memories, the agent's memory version, and whether the session has no
 * answer yet. Throws when the agent is gone.
 */
export async function readContext(db: Db, query: ContextQuery, exchanges: number) {
  const { withheld, ...values } = query;
  const [found] = await contextStatement(db).execute({ ...values, withheld: listOf(withheld), exchanges });
  if (found === undefined) throw new Error(`there is no agent ${query.agentId}`);
  const { history, pinned, summary, facts, ...rest } = found;
  return {
    ...rest,
    summary: summary ?? undefined,
    facts: unpackFacts(facts),
    history: (history ?? []).map(([inputText, message, readUntrusted, calls, attachments]) => ({
      inputText,
      message,
      readUntrusted,
      calls: calls ?? [],
      attachments,
    })),
    pinned: (pinned ?? []).map(([id, kind, text, ms, sessionId, sessionName, quotesOthers, taskId]) => ({
      id,
      kind,
      text,
      timestamp: new Date(ms).toISOString(),
      sessionId,
      sessionName,
      score: 1,
      pinned: true,
      quotesOthers,
      ...(taskId === null ? {} : { taskId }),
    })),
  };
}

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

/**
 * What goes along with memories that a person leaves out: the exchanges that they came from or were used in, and all memories of those.
 */
export async function findWithheld(db: Db, uid: string, ids: readonly string[]) {
  if (ids.length === 0) return { memories: [], exchanges: [] };
  const touched = sql`(
    select coalesce(m.task_id, m.id) as exchange from facts f join memories m on m.user_id = f.user_id and m.id = f.memory_id
      where f.user_id = ${uid} and f.id in ${ids}
    union select coalesce(${memories.taskId}, ${memories.id}) as exchange from ${memories}
      where ${memories.userId} = ${uid} and ${inArray(memories.id, [...ids])}
    union select t.id from ${tasks} t, jsonb_array_elements(t.memory_used) item
      where t.user_id = ${uid} and item->>'id' in ${ids}) as touched`;
  const rows = await db
    .select({ exchange: sql<string>`touched.exchange`, memory: memories.id })
    .from(touched)
    .leftJoin(memories, and(eq(memories.userId, uid), sql`${memories.taskId} = touched.exchange`));
  return {
    memories: [...new Set([...ids, ...rows.flatMap(({ memory }) => memory ?? [])])],
    exchanges: [...new Set(rows.map(({ exchange }) => exchange))],
  };
}

/** The summary of a session's beginning, if there is one. */
export async function findSummary(db: Db, uid: string, sessionId: string) {
  const [row] = await db
    .select()
    .from(summaries)
    .where(and(eq(summaries.userId, uid), eq(summaries.sessionId, sessionId)));
  return row;
}

/** The finished exchanges on a session's path after an instant, oldest first. */
export async function findExchangesAfter(
  db: Db,
  uid: string,
  sessionId: string,
  after: Date | undefined,
  limit: number,
) {
  return db
    .select({
      id: tasks.id,
      inputText: tasks.inputText,
      message: tasks.message,
      createdAt: tasks.createdAt,
      model: tasks.model,
      readUntrusted: tasks.readUntrusted,
    })
    .from(taskPlaces)
    .innerJoin(tasks, and(eq(tasks.userId, taskPlaces.userId), eq(tasks.id, taskPlaces.taskId)))
    .where(
      and(
        eq(taskPlaces.userId, uid),
        eq(taskPlaces.sessionId, sessionId),
        eq(taskPlaces.onPath, true),
        eq(tasks.status, 'done'),
        after && gt(taskPlaces.createdAt, after),
      ),
    )
    .orderBy(asc(taskPlaces.createdAt), asc(taskPlaces.taskId))
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
