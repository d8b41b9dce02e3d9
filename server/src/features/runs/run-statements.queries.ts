import type { EndStatus, TokenUsage } from '@atelier/contract/runs';
import { sql } from 'drizzle-orm';
import { bigint, boolean, integer, interval, jsonb, numeric, PgDialect, text, uuid } from 'drizzle-orm/pg-core';
import type { Database, Db, Tx } from '../../platform/database/database.ts';
import { prepareOnce } from '../../platform/database/prepared.ts';
import { type ArgumentsOf, sqlFunction } from '../../platform/database/sql-function.ts';
import { agents } from '../agents/agents.table.ts';
import type { BoundBudget } from '../budgets/budgets.service.ts';
import { atelierRecordTokens } from '../ledger/ledger.service.ts';
import { type PackedContext, packedContext, unpackContext } from './engine/context.queries.ts';
import { tasks } from './runs.table.ts';

/** What `atelier_accept_run` did with a message. */
export type AcceptOutcome =
  | 'started'
  | 'earlier'
  | 'other_body'
  | 'no_session'
  | 'no_task'
  | 'other_agent'
  | 'agent_deleted'
  | 'too_many'
  | 'message_limit'
  | 'task_limit'
  | 'busy'
  | 'budget_used'
  | 'budget_reserved';

interface Limits {
  messages: number | null;
  tasks: number | null;
}

const atelierAcceptRun = sqlFunction(
  'atelier_accept_run',
  {
    uid: text('_uid').notNull(),
    sessionId: uuid('_session').notNull(),
    /** The agent's address. */
    agent: text('_agent').notNull(),
    taskId: uuid('_task').notNull(),
    inputText: text('_input').notNull(),
    key: text('_key'),
    bodyHash: text('_hash').notNull(),
    retryOf: uuid('_retry_of'),
    without: uuid('_without').array().notNull(),
    /** Null for the agent's own. */
    model: text('_model'),
    processId: uuid('_process').notNull(),
    lease: interval('_lease').notNull(),
    runsAtOnce: integer('_at_once').notNull(),
    limits: jsonb('_limits').$type<Record<'free' | 'pro', Limits>>().notNull(),
    /** The task whose place it takes: the new one becomes its sibling. Null to go on at the end of the path. */
    again: uuid('_again'),
    /** Null where none bind. */
    budgets: jsonb('_budgets').$type<readonly BoundBudget[]>(),
    reservedTokens: bigint('_reserved_tokens', { mode: 'number' }),
    reservedCost: numeric('_reserved_cost'),
  },
  {
    outcome: text().$type<AcceptOutcome>().notNull(),
    plan: text().$type<'free' | 'pro'>().notNull(),
    task: tasks,
    agent: agents,
    parent: uuid().notNull(),
    siblings: uuid().array().notNull(),
    /** The place of the budget that has no room. */
    refused_by: integer(),
  },
);

interface Start extends ArgumentsOf<typeof atelierAcceptRun> {
  /** Whose pinned memories and facts go along with each plan. */
  scopes: Record<'free' | 'pro', 'agent' | 'session'>;
}

const at = sql.placeholder;

/** By a function: it sees what was stored while the message waited for its account's lock. */
const contextOfStarted = packedContext({
  uid: at('uid'),
  agentId: sql`(s.agent).id`,
  sessionId: sql`(s.task).session_id`,
  pinned: sql`case when (s.agent).memory_enabled then ${at('scopes')}::jsonb->>s.plan else 'none' end`,
  withheld: sql`'{}'`,
  withSummary: sql`true`,
});

const acceptStatement = (db: Db) =>
  db
    .select({
      ...atelierAcceptRun.rowOf('s'),
      context: sql<PackedContext | null>`case when s.outcome = 'started' and ${at('goesOn')}::boolean then ${contextOfStarted} end`,
    })
    .from(sql`${atelierAcceptRun.prepared()} as s`)
    .prepare('accept_run');
const preparedAccept = prepareOnce(acceptStatement);

/**
 * Accepts a message in one statement: locks the account's usage, finds an earlier task of the same request, checks session, agent and
 * limits, reserves what the run may take of the budgets, and inserts the task with a lease, placed by the trigger `tasks_placed`
 * (place-task.sql). `task` is there when it was started now or earlier, and `context` when it was started at the end of the path and leaves
 * out no memory.
 */
export async function acceptMessage(db: Db | Tx, inTransaction: boolean, { scopes, ...values }: Start) {
  // A statement is prepared for a connection; that of a transaction is not ours to keep.
  const statement = inTransaction ? acceptStatement(db) : preparedAccept(db);
  const goesOn = values.again === null && values.without.length === 0;
  const [started] = await statement.execute({ ...values, goesOn, scopes: JSON.stringify(scopes) });
  if (started === undefined) throw new Error('the statement that starts a run returned nothing');
  const { context, ...rest } = started;
  return { ...rest, context: context === null ? undefined : unpackContext(context) };
}

const atelierFinishRun = sqlFunction(
  'atelier_finish_run',
  {
    uid: text('_uid').notNull(),
    taskId: uuid('_task').notNull(),
    processId: uuid('_process').notNull(),
    attempt: integer('_attempt').notNull(),
    status: text('_status').$type<EndStatus>().notNull(),
    message: text('_message').notNull(),
    usage: jsonb('_usage').$type<TokenUsage>(),
    readUntrusted: boolean('_read_untrusted').notNull(),
    error: text('_error'),
    lastSeq: integer('_last_seq').notNull(),
    /** The last events, which are not in the log yet. */
    events: jsonb('_events').$type<readonly { seq: number; type: string; data: object }[]>().notNull(),
    /** Whether it counts against the limits. */
    counts: boolean('_counts').notNull(),
    /** What the agent remembers of it, if its memory is on by then. */
    memories: jsonb('_memories').$type<readonly { id: string; kind: string; text: string }[]>().notNull(),
    /** For the other processes, on the run channel. */
    notice: text('_notice').notNull(),
    model: text('_model').notNull(),
    cut: text('_cut', { enum: ['length', 'filter'] }),
    thoughts: text('_thoughts').notNull(),
  },
  { task: tasks, version: bigint({ mode: 'number' }) },
);

/** The ledger is written after the end, and only with it: its account is that of the row. */
const recorded = atelierRecordTokens.call({ uid: sql`(f.task).user_id`, tokens: at('tokens') });
const endStatement = (db: Db) =>
  db
    .select(atelierFinishRun.rowOf('f'))
    .from(sql`${atelierFinishRun.prepared()} as f cross join lateral ${recorded} as recorded`)
    .prepare('finish_run');
const preparedEnd = prepareOnce(endStatement);

/**
 * Ends a task in one statement: its answer, its last events, its count, its tokens, its memories and the notices. Returns the task and the
 * agent's new memory version (null when it remembers nothing of it), or undefined when another process has the task by now.
 */
export async function endTask(
  db: Db | Tx,
  inTransaction: boolean,
  end: ArgumentsOf<typeof atelierFinishRun> & Pick<ArgumentsOf<typeof atelierRecordTokens>, 'tokens'>,
) {
  // A statement is prepared for a connection; that of a transaction is not ours to keep.
  const statement = inTransaction ? endStatement(db) : preparedEnd(db);
  const [ended] = await statement.execute({ ...end });
  return ended;
}

const atelierLogEvents = sqlFunction(
  'atelier_log_events',
  {
    rows: jsonb('_rows').$type<LoggedEvents>().notNull(),
    processId: uuid('_process').notNull(),
    notice: text('_notice').notNull(),
  },
  { task_id: uuid().notNull(), seq: integer().notNull() },
);
type LoggedEvents = { user_id: string; task_id: string; attempt: number; seq: number; type: string; data: object }[];
const dialect = new PgDialect();

/** Stores events of tasks that this process holds, notifies other processes, and returns them. Errors of the database stay as they are. */
export async function logEvents(
  database: Pick<Database, 'executeSql'>,
  events: ArgumentsOf<typeof atelierLogEvents>,
): Promise<Record<string, unknown>[]> {
  const { sql: statement, params } = dialect.sqlToQuery(sql`select * from ${atelierLogEvents.call(events)}`);
  return (await database.executeSql(statement, params)).rows;
}
