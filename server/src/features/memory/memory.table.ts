import { sql } from 'drizzle-orm';
import { bigint, boolean, foreignKey, index, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import { bytes, instant, wordsIndex } from '../../platform/database/columns.ts';
import { agents } from '../agents/agents.table.ts';
import { filePassages } from '../files/files.table.ts';
import { inSession } from '../sessions/sessions.table.ts';

export const memories = pgTable(
  'memories',
  {
    userId: text('user_id').notNull(),
    id: uuid('id').notNull(),
    agentId: uuid('agent_id').notNull(),
    sessionId: uuid('session_id').notNull(),
    /** The exchange it came from. No foreign key: a memory may outlive a pruned exchange. */
    taskId: uuid('task_id'),
    kind: text('kind', { enum: ['person', 'agent', 'file'] }).notNull(),
    /** Who said it, when more than “the person” and “the agent” speak. */
    speaker: text('speaker'),
    text: text('text').notNull(),
    /** The agent's memory_version after the transaction that wrote this row. */
    version: bigint('version', { mode: 'number' }).notNull(),
    /** Given to the agent for every question. */
    pinned: boolean('pinned').notNull().default(false),
    /** The memory that a person edited into this one; forgetting one forgets the other. */
    originId: uuid('origin_id'),
    createdAt: instant('created_at').notNull().defaultNow(),
    /** A tombstone keeps its version and loses its text, so that other processes drop it too. */
    forgottenAt: instant('forgotten_at'),
  },
  (t) => [
    primaryKey({ columns: [t.userId, t.id] }),
    foreignKey({ columns: [t.userId, t.agentId], foreignColumns: [agents.userId, agents.id] }).onDelete('cascade'),
    inSession(t),
    // The order in which an index is loaded, one portion at a time.
    index('memories_in_order').on(t.userId, t.agentId, t.version, t.id),
    // Not partial: without statistics, a planner believes that almost nothing is null, and uses a partial index for everything.
    index('memories_newest').on(t.userId, t.createdAt, t.id),
    index('memories_pinned').on(t.userId, t.createdAt, t.id).where(sql`${t.pinned}`),
    index('memories_session').on(t.userId, t.sessionId, t.createdAt, t.id),
    wordsIndex('memories_words'),
  ],
);

/** A memory's embedding. `space` names the model and length that made it; only vectors of one space are compared. */
export const memoryVectors = pgTable(
  'memory_vectors',
  {
    userId: text('user_id').notNull(),
    memoryId: uuid('memory_id').notNull(),
    space: text('space').notNull(),
    /** One signed byte per dimension, of unit length 127. */
    vector: bytes('vector').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.userId, t.memoryId] }),
    foreignKey({ columns: [t.userId, t.memoryId], foreignColumns: [memories.userId, memories.id] }).onDelete('cascade'),
  ],
);

/** The embedding of a passage; deleted with its file. */
export const passageVectors = pgTable(
  'passage_vectors',
  {
    userId: text('user_id').notNull(),
    passageId: uuid('passage_id').notNull(),
    space: text('space').notNull(),
    /** One signed byte per dimension, of unit length 127. */
    vector: bytes('vector').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.userId, t.passageId] }),
    foreignKey({ columns: [t.userId, t.passageId], foreignColumns: [filePassages.userId, filePassages.id] }).onDelete(
      'cascade',
    ),
  ],
);
