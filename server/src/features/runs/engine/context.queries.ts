import { PINNED_MAX } from '@atelier/contract/memory';
import { and, asc, eq, gt, inArray, isNull, or, type SQLWrapper, sql } from 'drizzle-orm';
import { boolean, integer, json, text, uuid } from 'drizzle-orm/pg-core';
import type { Db } from '../../../platform/database/database.ts';
import { prepareOnce } from '../../../platform/database/prepared.ts';
import { type ArgumentsOf, sqlFunction } from '../../../platform/database/sql-function.ts';
import { FACTS_READ, unpackFacts } from '../../facts/run-facts.service.ts';
import { memories } from '../../memory/memory.table.ts';
import { taskPlaces } from '../places.table.ts';
import { summaries, type TaskRow, tasks } from '../runs.table.ts';

type PackedExchange = [
  inputText: string,
  message: string,
  readUntrusted: boolean,
  calls: EarlierCall[] | null,
  attachments: TaskRow['attachments'],
  exchange: string,
];
/** A tool's answer in an earlier exchange, as the database packs it; both as the beginning of their text. */
export type EarlierCall = [tool: string, input: string, answer: string];
type PackedPinned = [
  id: string,
  kind: 'person' | 'agent',
  text: string,
  at: number,
  sessionId: string,
  sessionName: string,
  quotesOthers: boolean,
  taskId: string | null,
  exchange: string | null,
];

/** The summary of a session's beginning, as a prompt quotes it. */
export type Summary = Pick<typeof summaries.$inferSelect, 'text' | 'kind' | 'exchanges'>;

export interface PackedContext {
  version: number;
  summary: (Summary & { readUntrusted: boolean }) | null;
  /** Newest first. */
  history: PackedExchange[] | null;
  pinned: PackedPinned[] | null;
  facts: Parameters<typeof unpackFacts>[0];
  /** The session has no answer yet. */
  isFirst: boolean;
}

/** The newest exchanges that may go along. */
export const HISTORY_EXCHANGES = 60;

const atelierRunContext = sqlFunction(
  'atelier_run_context',
  {
    uid: text('_uid').notNull(),
    agentId: uuid('_agent').notNull(),
    sessionId: uuid('_session').notNull(),
    /** Whose pinned memories go along: the agent's, this session's, or none. */
    pinned: text('_scope', { enum: ['agent', 'session', 'none'] }).notNull(),
    /** Exchanges to leave out. */
    withheld: uuid('_withheld').array().notNull(),
    /** False when memories are left out: the summary could contain their words. */
    withSummary: boolean('_with_summary').notNull(),
    exchanges: integer('_exchanges').notNull(),
    pins: integer('_pins').notNull(),
    facts: integer('_facts').notNull(),
  },
  json().$type<PackedContext>(),
);
const BOUNDS = { exchanges: HISTORY_EXCHANGES, pins: PINNED_MAX, facts: FACTS_READ };

/** What is read for a run before its model is asked. */
export type ContextQuery = Omit<ArgumentsOf<typeof atelierRunContext>, keyof typeof BOUNDS>;

/**
 * A value with everything that a run needs from the database but its memories: the agent's memory version, the summary of the session's
 * beginning, the finished exchanges after it, the pinned memories and facts, and whether the session has no answer yet. Null when the agent
 * is gone.
 */
export const packedContext = (of: Record<keyof ContextQuery, SQLWrapper>) =>
  atelierRunContext.call({ ...of, ...BOUNDS });

const contextStatement = prepareOnce((db) =>
  db.select({ context: atelierRunContext.prepared() }).from(sql`(values (1)) as one`).prepare('run_context'),
);

/** The same in a statement of its own. Throws when the agent is gone. */
export async function readContext(db: Db, query: ContextQuery): Promise<RunContext> {
  const [row] = await contextStatement(db).execute({ ...query, ...BOUNDS });
  if (!row?.context) throw new Error(`there is no agent ${query.agentId}`);
  return unpackContext(row.context);
}

/** What a run needs from the database but its memories. */
export type RunContext = ReturnType<typeof unpackContext>;

/** What `packedContext` read. */
export function unpackContext({ history, pinned, summary, facts, ...rest }: PackedContext) {
  return {
    ...rest,
    summary: summary ?? undefined,
    facts: unpackFacts(facts),
    history: (history ?? []).map(([inputText, message, readUntrusted, calls, attachments, exchange]) => {
      return { inputText, message, readUntrusted, calls: calls ?? [], attachments, exchange };
    }),
    pinned: (pinned ?? []).map(([id, kind, text, ms, sessionId, sessionName, quotesOthers, taskId, exchange]) => {
      const said = { id, kind, text, timestamp: new Date(ms).toISOString(), sessionId, sessionName };
      return { ...said, score: 1, pinned: true, quotesOthers, exchange, ...(taskId === null ? {} : { taskId }) };
    }),
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
  const { id, inputText, message, createdAt, model, agentId, readUntrusted } = tasks;
  return db
    .select({ id, inputText, message, createdAt, model, agentId, readUntrusted })
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
