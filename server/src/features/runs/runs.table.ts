import type { Attachment } from '@atelier/contract/attachments/attachments';
import type { MemoryItem } from '@atelier/contract/memory';
import { IN_FLIGHT, type Task, type TaskStatus, type TokenUsage } from '@atelier/contract/runs';
import type { Approval, ToolAnswer, ToolLeftOut } from '@atelier/contract/tools';
import { type SQL, type SQLWrapper, sql } from 'drizzle-orm';
import {
  bigint,
  boolean,
  foreignKey,
  index,
  integer,
  jsonb,
  numeric,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core';
import { bytes, instant, wordsIndex } from '../../platform/database/columns.ts';
import { agents } from '../agents/agents.table.ts';
import { inSession } from '../sessions/sessions.table.ts';

/** The ids of the memories in a receipt. */
export const receiptIds = (items: SQL): SQL => sql`jsonb_path_query_array(${items}, '$[*].id')`;

/** Whether a task still runs, as `atelier_is_in_flight` has it; spelled out, because an index has it too. */
export const inFlight = (status: SQLWrapper): SQL =>
  sql`${status} in (${sql.raw(IN_FLIGHT.map((one) => `'${one}'`).join(', '))})`;

export const tasks = pgTable(
  'tasks',
  {
    userId: text('user_id').notNull(),
    id: uuid('id').notNull(),
    sessionId: uuid('session_id').notNull(),
    agentId: uuid('agent_id').notNull(),
    agentName: text('agent_name').notNull(),
    inputText: text('input_text').notNull(),
    /** Pictures and files of the message, as it names them. */
    attachments: jsonb('attachments').$type<Omit<Attachment, 'state' | 'url'>[]>().notNull().default([]),
    /** The agent's answer; empty until the run ends (until then the event log has its text). */
    message: text('message').notNull().default(''),
    status: text('status').$type<TaskStatus>().notNull(),
    model: text('model').notNull(),
    memoryUsed: jsonb('memory_used').$type<MemoryItem[]>().notNull().default([]),
    /** Only the newest memories were searched, because older ones were still loading. */
    memoryPartial: boolean('memory_partial').notNull().default(false),
    toolCalls: jsonb('tool_calls').$type<Task['toolCalls']>().notNull().default([]),
    /** The person's decisions on calls, by call id, and answers to servers, by the question's id. */
    approvals: jsonb('approvals').$type<Record<string, Approval['decision'] | ToolAnswer>>().notNull().default({}),
    /** Tools that the model was not offered directly; null for none. */
    toolsLeftOut: jsonb('tools_left_out').$type<ToolLeftOut[]>(),
    /** Other people's words were in the prompt, so the answer may repeat them. */
    readUntrusted: boolean('read_untrusted').notNull().default(false),
    /** Why the answer ended before its time. */
    cut: text('cut', { enum: ['length', 'filter'] }),
    /** What the model thought before it answered; for people only. */
    thoughts: text('thoughts').notNull().default(''),
    tokenUsage: jsonb('token_usage').$type<TokenUsage>(),
    error: text('error'),
    lastSeq: integer('last_seq').notNull().default(0),
    retryOf: uuid('retry_of'),
    /** Memories that the person left out of this run. */
    without: uuid('without').array().notNull().default([]),
    idempotencyKey: text('idempotency_key'),
    bodyHash: text('body_hash'),
    leaseOwner: uuid('lease_owner'),
    leaseUntil: instant('lease_until'),
    /** Stays 1: a retry is another task. Whoever writes to a run compares it all the same. */
    attempt: integer('attempt').notNull().default(1),
    /** What a run may take of the budgets; counts while it is in flight. */
    reservedTokens: bigint('reserved_tokens', { mode: 'number' }),
    reservedCost: numeric('reserved_cost'),
    cancelRequestedAt: instant('cancel_requested_at'),
    createdAt: instant('created_at').notNull().defaultNow(),
    finishedAt: instant('finished_at'),
  },
  (t) => [
    primaryKey({ columns: [t.userId, t.id] }),
    inSession(t),
    foreignKey({ columns: [t.userId, t.agentId], foreignColumns: [agents.userId, agents.id] }).onDelete('cascade'),
    index('tasks_timeline').on(t.userId, t.sessionId, t.createdAt, t.id),
    uniqueIndex('tasks_one_run_a_session').on(t.userId, t.sessionId).where(inFlight(t.status)),
    uniqueIndex('tasks_retry_once').on(t.userId, t.retryOf).where(sql`${t.retryOf} is not null`),
    uniqueIndex('tasks_idempotency').on(t.userId, t.idempotencyKey).where(sql`${t.idempotencyKey} is not null`),
    index('tasks_newest').on(t.userId, t.createdAt, t.id),
    wordsIndex('tasks_words'),
    // Finds the receipts that contain a memory.
    index('tasks_receipts').using('gin', receiptIds(sql`memory_used`)).with({ fastupdate: false }),
    // Finds the messages that name an attachment.
    index('tasks_attached').on(t.userId).where(sql`${t.attachments} <> '[]'`),
    // For the operator, who sees how many failed today.
    index('tasks_failed').on(t.finishedAt).where(sql`status in ('failed', 'interrupted')`),
    index('tasks_in_flight').on(t.leaseUntil).where(inFlight(t.status)),
  ],
);

/** Tools that a person allowed for a whole session. */
export const toolGrants = pgTable(
  'tool_grants',
  {
    userId: text('user_id').notNull(),
    sessionId: uuid('session_id').notNull(),
    tool: text('tool').notNull(),
    /** What was shown: the hash of a server's tool, or a web page's host, whose links it covers. Anything else asks again. */
    binding: text('binding').notNull().default(''),
    /** Whether the person was told that private data could be sent away. */
    dangerous: boolean('dangerous').notNull().default(false),
  },
  (t) => [primaryKey({ columns: [t.userId, t.sessionId, t.tool, t.binding] }), inSession(t)],
);

/** Pictures, sounds and files that tools answered. */
export const toolMedia = pgTable(
  'tool_media',
  {
    userId: text('user_id').notNull(),
    taskId: uuid('task_id').notNull(),
    id: uuid('id').notNull(),
    type: text('type').notNull(),
    name: text('name'),
    bytes: bytes('bytes').notNull(),
    createdAt: instant('created_at').notNull().defaultNow(),
  },
  (t) => [
    primaryKey({ columns: [t.userId, t.taskId, t.id] }),
    foreignKey({ columns: [t.userId, t.taskId], foreignColumns: [tasks.userId, tasks.id] }).onDelete('cascade'),
  ],
);

export type TaskRow = typeof tasks.$inferSelect;

/** The append-only log of a running task, replayed to followers and pruned some minutes after the end. */
export const taskEvents = pgTable(
  'task_events',
  {
    userId: text('user_id').notNull(),
    taskId: uuid('task_id').notNull(),
    seq: integer('seq').notNull(),
    type: text('type', { enum: ['memory', 'delta', 'thought', 'wait', 'tool'] }).notNull(),
    data: jsonb('data').$type<Record<string, unknown>>().notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.userId, t.taskId, t.seq] }),
    foreignKey({ columns: [t.userId, t.taskId], foreignColumns: [tasks.userId, tasks.id] }).onDelete('cascade'),
  ],
);

/** A short summary of a long session's beginning, for the model; the exchanges themselves stay. */
export const summaries = pgTable(
  'session_summaries',
  {
    userId: text('user_id').notNull(),
    sessionId: uuid('session_id').notNull(),
    text: text('text').notNull(),
    /** `model`: written by a provider's model. `extractive`: sentences of the conversation, chosen by us. */
    kind: text('kind', { enum: ['model', 'extractive'] }).notNull(),
    /** The last exchange that it covers, and how many it covers in all. */
    until: instant('until').notNull(),
    exchanges: integer('exchanges').notNull(),
    /** Other people's words were in the prompt of one of them, so the summary may repeat them. */
    readUntrusted: boolean('read_untrusted').notNull().default(false),
    updatedAt: instant('updated_at').notNull().defaultNow(),
  },
  (t) => [primaryKey({ columns: [t.userId, t.sessionId] }), inSession(t)],
);
