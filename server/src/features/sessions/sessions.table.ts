import { sql } from 'drizzle-orm';
import {
  type AnyPgColumn,
  boolean,
  foreignKey,
  index,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core';
import { instant, wordsIndex } from '../../platform/database/columns.ts';
import { largeOwner } from '../accounts/accounts.table.ts';
import { agents } from '../agents/agents.table.ts';

/** A person's folders of sessions. */
export const sessionFolders = pgTable(
  'session_folders',
  {
    userId: largeOwner(),
    id: uuid('id').notNull(),
    name: text('name').notNull(),
    createdAt: instant('created_at').notNull().defaultNow(),
  },
  (t) => [
    primaryKey({ columns: [t.userId, t.id] }),
    uniqueIndex('session_folders_name').on(t.userId, sql`lower(${t.name})`),
  ],
);

export type FolderRow = typeof sessionFolders.$inferSelect;

export const sessions = pgTable(
  'chat_sessions',
  {
    userId: text('user_id').notNull(),
    id: uuid('id').notNull(),
    agentId: uuid('agent_id').notNull(),
    name: text('name').notNull(),
    /** A generated title may replace `default`, never a name from the person. */
    nameSource: text('name_source', { enum: ['default', 'person', 'title'] })
      .notNull()
      .default('default'),
    pinned: boolean('pinned').notNull().default(false),
    archived: boolean('archived').notNull().default(false),
    folderId: uuid('folder_id'),
    /** The import of another program's export that brought it, for as long as that can be undone. */
    importId: uuid('import_id'),
    createdAt: instant('created_at').notNull().defaultNow(),
    /** Set by delete; the row and its exchanges are removed some seconds later unless restored. */
    deletedAt: instant('deleted_at'),
  },
  (t) => [
    primaryKey({ columns: [t.userId, t.id] }),
    foreignKey({ columns: [t.userId, t.agentId], foreignColumns: [agents.userId, agents.id] }).onDelete('cascade'),
    // A deleted folder leaves its sessions. The migration says `set null ("folder_id")`: Drizzle can't, and the owner must stay.
    foreignKey({
      columns: [t.userId, t.folderId],
      foreignColumns: [sessionFolders.userId, sessionFolders.id],
    }).onDelete('set null'),
    index('chat_sessions_order')
      .on(t.userId, t.archived, t.pinned, t.createdAt, t.id)
      .where(sql`${t.deletedAt} is null`),
    index('chat_sessions_folder').on(t.userId, t.folderId, t.pinned, t.createdAt, t.id),
    wordsIndex('chat_sessions_words'),
    index('chat_sessions_agent').on(t.userId, t.agentId),
  ],
);

export type SessionRow = typeof sessions.$inferSelect;

/** What belongs to a session, and goes with it. */
export const inSession = (t: { userId: AnyPgColumn; sessionId: AnyPgColumn }) =>
  foreignKey({ columns: [t.userId, t.sessionId], foreignColumns: [sessions.userId, sessions.id] }).onDelete('cascade');
