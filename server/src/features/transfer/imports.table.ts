import type { ImportCount, PastProgram } from '@atelier/contract/transfer/imports';
import { sql } from 'drizzle-orm';
import { integer, jsonb, pgTable, primaryKey, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import { instant } from '../../platform/database/columns.ts';
import { owner } from '../accounts/accounts.table.ts';

/** Archives that people bring from another installation, with how far each has come. */
export const accountImports = pgTable(
  'account_imports',
  {
    userId: owner(),
    id: uuid('id').notNull(),
    state: text('state', { enum: ['ready', 'running', 'done', 'stopped', 'failed', 'undone'] }).notNull(),
    fileName: text('file_name').notNull(),
    /** Whose export it is; null for an archive of this product. See `past_imports`. */
    program: text('program').$type<PastProgram>(),
    /** Where the archive is stored; null once it isn't needed any more. */
    key: text('key'),
    madeAt: instant('made_at').notNull(),
    agentNames: text('agent_names').array().notNull(),
    counts: jsonb('counts').$type<ImportCount[]>().notNull(),
    notes: text('notes').array().notNull().default([]),
    /** How many of the archive's parts are done, and how many rows of the next one. */
    partsDone: integer('parts_done').notNull().default(0),
    rowsDone: integer('rows_done').notNull().default(0),
    error: text('error'),
    createdAt: instant('created_at').notNull().defaultNow(),
    finishedAt: instant('finished_at'),
  },
  (t) => [
    primaryKey({ columns: [t.userId, t.id] }),
    uniqueIndex('account_imports_one_running').on(t.userId).where(sql`${t.state} = 'running'`),
  ],
);

/** An import's keys, as jobs store them. */
export interface ImportKey {
  userId: string;
  importId: string;
}

export type AccountImportRow = typeof accountImports.$inferSelect;
