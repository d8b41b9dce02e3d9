import type { Attachment } from '@atelier/contract/attachments/attachments';
import { index, jsonb, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import { instant } from '../../platform/database/columns.ts';
import { inSession } from '../sessions/sessions.table.ts';

/** Messages that wait for a session's running answer to end, oldest first. A row goes when its message is sent. */
export const queuedMessages = pgTable(
  'queued_messages',
  {
    userId: text('user_id').notNull(),
    /** Also the idempotency key of its task, so that it can't be sent twice. */
    id: uuid('id').notNull(),
    sessionId: uuid('session_id').notNull(),
    inputText: text('input_text').notNull(),
    /** Pictures and files of the message, as its task will name them. */
    attachments: jsonb('attachments').$type<Omit<Attachment, 'state' | 'url'>[]>().notNull().default([]),
    /** Why it waits for the person instead of the answer, in a sentence. */
    reason: text('reason'),
    /** An answer that ends badly after this time pauses it. */
    waitingSince: instant('waiting_since').notNull().defaultNow(),
    /** Being sent: its words can't change any more. */
    sendingAt: instant('sending_at'),
    /** Set by remove; the row is deleted some minutes later unless restored. */
    removedAt: instant('removed_at'),
    createdAt: instant('created_at').notNull().defaultNow(),
  },
  (t) => [
    primaryKey({ columns: [t.userId, t.id] }),
    inSession(t),
    index('queued_messages_order').on(t.userId, t.sessionId, t.createdAt, t.id),
  ],
);

export type QueuedRow = typeof queuedMessages.$inferSelect;
