import { sql } from 'drizzle-orm';
import { boolean, index, pgTable, primaryKey, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import { instant } from '../../platform/database/columns.ts';
import { inSession } from '../sessions/sessions.table.ts';

/** Links that let anyone read a session or an answer. They hold no words, so what is deleted or forgotten is gone there too. */
export const shares = pgTable(
  'shares',
  {
    userId: text('user_id').notNull(),
    id: uuid('id').notNull(),
    sessionId: uuid('session_id').notNull(),
    /** The one answer that is shared; null for the session. */
    taskId: uuid('task_id'),
    /** 256 random bits. Not hashed: people copy their link again, and who can read this row can read the session. */
    token: text('token').notNull(),
    withReceipts: boolean('with_receipts').notNull().default(false),
    /** Shows the session as it is when somebody looks. */
    follows: boolean('follows').notNull().default(false),
    /** The exchanges that it shows, in their order; unused while it follows. */
    taskIds: uuid('task_ids').array().notNull().default([]),
    hasEarlier: boolean('has_earlier').notNull().default(false),
    /** The session's name then; empty for one answer. */
    title: text('title').notNull().default(''),
    createdAt: instant('created_at').notNull().default(sql`now()`),
    takenAt: instant('taken_at').notNull().default(sql`now()`),
  },
  (t) => [
    primaryKey({ columns: [t.userId, t.id] }),
    inSession(t),
    uniqueIndex('shares_token').on(t.token),
    index('shares_session').on(t.userId, t.sessionId),
  ],
);

export type ShareRow = typeof shares.$inferSelect;
