import type { FileKind } from '@atelier/contract/files';
import { sql } from 'drizzle-orm';
import {
  bigint,
  boolean,
  foreignKey,
  index,
  integer,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core';
import { instant, wordsIndex } from '../../platform/database/columns.ts';
import { agents } from '../agents/agents.table.ts';

export const agentFiles = pgTable(
  'agent_files',
  {
    userId: text('user_id').notNull(),
    id: uuid('id').notNull(),
    agentId: uuid('agent_id').notNull(),
    /** The person's name for it; on disk its name is `key`. */
    name: text('name').notNull(),
    key: text('key').notNull(),
    type: text('type').notNull(),
    kind: text('kind').$type<FileKind>().notNull(),
    /** In bytes. */
    size: integer('size').notNull(),
    state: text('state', { enum: ['uploading', 'reading', 'ready', 'failed'] }).notNull(),
    /** The sentence to show, for `failed`. */
    error: text('error'),
    /** The sentence to show when only a part was kept. */
    note: text('note'),
    /** For `reading`: how far, for people: `page 30 of 200`. */
    progress: text('progress'),
    /** Whether pictures of text in it must be recognized, which takes long: such files wait for a reader of their own. */
    pictures: boolean('pictures').notNull().default(false),
    /** While its text is read: until when its reader counts as alive, how often reading began, and when last. */
    readingUntil: instant('reading_until'),
    readings: integer('readings').notNull().default(0),
    readAt: instant('read_at'),
    createdAt: instant('created_at').notNull().defaultNow(),
    deletedAt: instant('deleted_at'),
  },
  (t) => [
    primaryKey({ columns: [t.userId, t.id] }),
    foreignKey({ columns: [t.userId, t.agentId], foreignColumns: [agents.userId, agents.id] }).onDelete('cascade'),
    uniqueIndex('agent_files_key').on(t.userId, t.key),
    index('agent_files_list').on(t.userId, t.agentId, t.createdAt, t.id),
    index('agent_files_unsettled').on(t.state, t.createdAt),
    index('agent_files_deleted').on(t.deletedAt).where(sql`${t.deletedAt} is not null`),
  ],
);

export type AgentFileRow = typeof agentFiles.$inferSelect;

/** The text of files in pieces, for recall and `search_files`. */
export const filePassages = pgTable(
  'file_passages',
  {
    userId: text('user_id').notNull(),
    id: uuid('id').notNull(),
    fileId: uuid('file_id').notNull(),
    agentId: uuid('agent_id').notNull(),
    /** Where it is in the file, for people: “page 3”. */
    place: text('place').notNull(),
    text: text('text').notNull(),
    /** Its number in the file, from 0. */
    position: integer('position').notNull(),
    /** The agent's memory_version after the transaction that wrote this row. */
    version: bigint('version', { mode: 'number' }).notNull(),
    createdAt: instant('created_at').notNull().defaultNow(),
  },
  (t) => [
    primaryKey({ columns: [t.userId, t.id] }),
    foreignKey({ columns: [t.userId, t.fileId], foreignColumns: [agentFiles.userId, agentFiles.id] }).onDelete(
      'cascade',
    ),
    index('file_passages_in_order').on(t.userId, t.agentId, t.version, t.id),
    index('file_passages_file').on(t.userId, t.fileId, t.position),
    index('file_passages_newest').on(t.userId, t.createdAt, t.id),
    wordsIndex('file_passages_words'),
  ],
);
