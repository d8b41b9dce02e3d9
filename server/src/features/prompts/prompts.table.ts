import { sql } from 'drizzle-orm';
import { pgTable, primaryKey, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import { instant } from '../../platform/database/columns.ts';
import { owner } from '../accounts/accounts.table.ts';

/** Texts that a person saved to use again. */
export const savedPrompts = pgTable(
  'saved_prompts',
  {
    userId: owner(),
    id: uuid('id').notNull(),
    name: text('name').notNull(),
    text: text('text').notNull(),
    createdAt: instant('created_at').notNull().defaultNow(),
    updatedAt: instant('updated_at').notNull().defaultNow(),
  },
  (t) => [
    primaryKey({ columns: [t.userId, t.id] }),
    uniqueIndex('saved_prompts_name').on(t.userId, sql`lower(${t.name})`),
  ],
);

export type SavedPromptRow = typeof savedPrompts.$inferSelect;
