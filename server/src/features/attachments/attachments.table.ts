import type { AttachmentKind } from '@atelier/contract/attachments/attachments';
import { getTableColumns, sql } from 'drizzle-orm';
import { index, integer, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import { instant } from '../../platform/database/columns.ts';
import { largeOwner } from '../accounts/accounts.table.ts';

/**
 * Pictures and files of messages. Messages name theirs in `tasks.attachments`, several may name the same one: a repeated question, or a
 * session that continues another. So a row goes only when no message names it any more, not with the session it was uploaded for.
 */
export const attachments = pgTable(
  'attachments',
  {
    userId: largeOwner(),
    id: uuid('id').notNull(),
    /** The session it was uploaded for. */
    sessionId: uuid('session_id').notNull(),
    name: text('name').notNull(),
    key: text('key').notNull(),
    type: text('type').notNull(),
    kind: text('kind').$type<AttachmentKind>().notNull(),
    /** In bytes. */
    size: integer('size').notNull(),
    /** Of a picture. */
    width: integer('width'),
    height: integer('height'),
    /** The text of a file, for models: with its message, and again while that exchange is in the prompt; never recalled or searched. */
    text: text('text').notNull().default(''),
    /** The sentence to show when only a part was read. */
    note: text('note'),
    state: text('state', { enum: ['uploading', 'ready'] }).notNull(),
    createdAt: instant('created_at').notNull().defaultNow(),
    /** When a message first used it; an attachment that no message uses within a day is removed. */
    sentAt: instant('sent_at'),
    deletedAt: instant('deleted_at'),
  },
  (t) => [
    primaryKey({ columns: [t.userId, t.id] }),
    index('attachments_session').on(t.userId, t.sessionId),
    index('attachments_unused').on(t.createdAt).where(sql`${t.sentAt} is null or ${t.deletedAt} is not null`),
  ],
);

/** All of an attachment but its text, which may have megabytes: reading it takes the time of everybody who is served. */
export const { text: attachmentText, ...attachmentColumns } = getTableColumns(attachments);
export type AttachmentRow = Omit<typeof attachments.$inferSelect, 'text'>;
