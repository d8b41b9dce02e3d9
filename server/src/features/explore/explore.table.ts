import { foreignKey, index, integer, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import { agents } from '../agents/agents.table.ts';

/**
 * Which public agents have a tag, in explore's order: a projection of `agents` across all owners that only triggers write. Without it, a
 * tag of half of all agents would be sorted again for each page.
 */
export const exploreTags = pgTable(
  'explore_tags',
  {
    tag: text('tag').notNull(),
    creatorId: text('creator_id').notNull(),
    agentId: uuid('agent_id').notNull(),
    favoriteCount: integer('favorite_count').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.tag, t.agentId] }),
    foreignKey({ columns: [t.creatorId, t.agentId], foreignColumns: [agents.userId, agents.id] }).onDelete('cascade'),
    index('explore_tags_order').on(t.tag, t.favoriteCount, t.agentId),
    index('explore_tags_agent').on(t.creatorId, t.agentId),
  ],
);
