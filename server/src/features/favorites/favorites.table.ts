import { foreignKey, index, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import { instant } from '../../platform/database/columns.ts';
import { largeOwner } from '../accounts/accounts.table.ts';
import { agents } from '../agents/agents.table.ts';

/**
 * One row per person and agent. A trigger keeps the agent's `favorite_count` equal to its number of rows, however a row is added or
 * removed, also when an account is deleted.
 */
export const favorites = pgTable(
  'favorites',
  {
    userId: largeOwner(),
    creatorId: text('creator_id').notNull(),
    agentId: uuid('agent_id').notNull(),
    favoritedAt: instant('favorited_at').notNull().defaultNow(),
  },
  (t) => [
    primaryKey({ columns: [t.userId, t.creatorId, t.agentId] }),
    foreignKey({ columns: [t.creatorId, t.agentId], foreignColumns: [agents.userId, agents.id] }).onDelete('cascade'),
    index('favorites_list').on(t.userId, t.favoritedAt, t.agentId),
    index('favorites_agent').on(t.creatorId, t.agentId),
  ],
);
