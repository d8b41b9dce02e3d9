import { sql } from 'drizzle-orm';
import { pgTable, primaryKey, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import { instant } from '../../platform/database/columns.ts';
import { largeOwner } from '../accounts/accounts.table.ts';

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
