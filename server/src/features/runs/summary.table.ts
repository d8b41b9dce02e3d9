import { boolean, foreignKey, integer, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import { instant } from '../../platform/database/columns.ts';
import { sessions } from '../sessions/sessions.table.ts';

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
  (t) => [
    primaryKey({ columns: [t.userId, t.sessionId] }),
    foreignKey({ columns: [t.userId, t.sessionId], foreignColumns: [sessions.userId, sessions.id] }).onDelete(
      'cascade',
    ),
  ],
);
