import type { TokenUsage } from '@atelier/contract/runs';
import { sql } from 'drizzle-orm';
import type { Db, Tx } from '../../platform/database/database.ts';
import { columnsOf, listOf, prepareOnce } from '../../platform/database/prepared.ts';
import { agents } from '../agents/agents.table.ts';
import { type PackedContext, packedContext, unpackContext } from './engine/context.queries.ts';
import { tasks } from './runs.table.ts';

/** What `atelier_start_run` did with a message. */
export type StartOutcome =
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
  | 'busy';

interface Limits {
  messages: number | null;
  tasks: number | null;
}

/** A message to accept. */
interface Start {
  uid: string;
  sessionId: string;
  /** The agent's address. */
  agent: string;
  taskId: string;
  inputText: string;
  key: string | null;
  bodyHash: string;
  retryOf: string | null;
  /** The task whose place it takes: the new one becomes its sibling. Null to go on at the end of the path. */
  again: string | null;
  without: readonly string[];
  /** Null for the agent's own. */
  model: string | null;
  processId: string;
  leaseMs: number;
  runsAtOnce: number;
  limits: Record<'free' | 'pro', Limits>;
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

const startStatement = (db: Db) =>
  db
    .select({
      outcome: sql<StartOutcome>`s.outcome`,
      plan: sql<'free' | 'pro'>`s.plan`,
      task: columnsOf(tasks, sql`s.task`),
      agent: columnsOf(agents, sql`s.agent`),
      parent: sql<string>`s.parent`,
      siblings: sql<string[]>`s.siblings`,
      context: sql<PackedContext | null>`case when s.outcome = 'started' and ${at('again')}::uuid is null and ${at('without')}::uuid[] = '{}'
        then ${contextOfStarted} end`,
    })
    .from(
      sql`atelier_start_run(${at('uid')}, ${at('sessionId')}, ${at('agent')}, ${at('taskId')}, ${at('inputText')}, ${at('key')},
        ${at('bodyHash')}, ${at('retryOf')}, ${at('without')}, ${at('model')}, ${at('processId')}, ${at('lease')}, ${at('runsAtOnce')},
        ${at('limits')}, ${at('again')}) as s`,
    )
    .prepare('start_run');
const preparedStart = prepareOnce(startStatement);

/**
 * Accepts a message in one statement: locks the account's usage, finds an earlier task of the same request, checks session, agent and
 * limits, and inserts the task with a lease. `task` is there when it was started now or earlier, and `context` when it was started at the end
 * of the path and leaves out no memory.
 */
export async function startRun(
  db: Db | Tx,
  inTransaction: boolean,
  { without, leaseMs, limits, scopes, ...values }: Start,
) {
  // A statement is prepared for a connection; that of a transaction is not ours to keep.
  const statement = inTransaction ? startStatement(db) : preparedStart(db);
  const [started] = await statement.execute({
    ...values,
    without: listOf(without),
    lease: `${leaseMs} milliseconds`,
    limits: JSON.stringify(limits),
    scopes: JSON.stringify(scopes),
  });
  if (started === undefined) throw new Error('the statement that starts a run returned nothing');
  const { context, ...rest } = started;
  return { ...rest, context: context === null ? undefined : unpackContext(context) };
}

/** How to end a task that this process holds. */
interface End {
  uid: string;
  taskId: string;
  processId: string;
  attempt: number;
  status: 'done' | 'failed' | 'cancelled' | 'interrupted';
  message: string;
  model: string;
  cut: 'length' | 'filter' | null;
  thoughts: string;
  usage: TokenUsage | null;
  readUntrusted: boolean;
  error: string | null;
  lastSeq: number;
  /** The last events, which are not in the log yet. */
  events: readonly { seq: number; type: string; data: object }[];
  /** Whether it counts against the limits. */
  counts: boolean;
  /** What the agent remembers of it, if its memory is on by then. */
  memories: readonly { id: string; kind: string; text: string }[];
  /** For the other processes, on the run channel. */
  notice: string;
}

const endStatement = (db: Db) =>
  db
    .select({ task: columnsOf(tasks, sql`f.task`), version: sql<number | null>`f.version`.mapWith(Number) })
    .from(
      sql`atelier_finish_run(${at('uid')}, ${at('taskId')}, ${at('processId')}, ${at('attempt')}, ${at('status')}, ${at('message')},
        ${at('usage')}, ${at('readUntrusted')}, ${at('error')}, ${at('lastSeq')}, ${at('events')}, ${at('counts')}, ${at('memories')},
        ${at('notice')}, ${at('model')}, ${at('cut')}, ${at('thoughts')}) as f`,
    )
    .prepare('finish_run');
const preparedEnd = prepareOnce(endStatement);

/**
 * Ends a task in one statement: its answer, its last events, its count, its memories and the notices. Returns the task and the agent's new
 * memory version (null when it remembers nothing of it), or undefined when another process has the task by now.
 */
export async function endTask(db: Db | Tx, inTransaction: boolean, { usage, events, memories, ...values }: End) {
  // A statement is prepared for a connection; that of a transaction is not ours to keep.
  const statement = inTransaction ? endStatement(db) : preparedEnd(db);
  const [ended] = await statement.execute({
    ...values,
    usage: usage === null ? null : JSON.stringify(usage),
    events: JSON.stringify(events),
    memories: JSON.stringify(memories),
  });
  return ended;
}
