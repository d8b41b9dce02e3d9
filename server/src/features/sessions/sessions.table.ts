import { sql } from 'drizzle-orm';
import { foreignKey, index, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import { instant, wordsIndex } from '../../platform/database/columns.ts';
import { agents } from '../agents/agents.table.ts';

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
    createdAt: instant('created_at').notNull().defaultNow(),
    /** Set by delete; the row and its exchanges are removed some seconds later unless restored. */
    deletedAt: instant('deleted_at'),
  },
  (t) => [
    primaryKey({ columns: [t.userId, t.id] }),
    foreignKey({ columns: [t.userId, t.agentId], foreignColumns: [agents.userId, agents.id] }).onDelete('cascade'),
    index('chat_sessions_list').on(t.userId, t.createdAt, t.id).where(sql`${t.deletedAt} is null`),
    wordsIndex('chat_sessions_words'),
    index('chat_sessions_agent').on(t.userId, t.agentId),
  ],
);

export type SessionRow = typeof sessions.$inferSelect;
