import type { Imitated, ReportKind } from '@atelier/contract/explore';
import { sql } from 'drizzle-orm';
import { foreignKey, index, integer, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import { instant } from '../../platform/database/columns.ts';
import { owner, user } from '../accounts/accounts.table.ts';
import { agents, nameLook } from '../agents/agents.table.ts';

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

/**
 * What people have reported of public agents: a row for each person and agent. An operator closes it; the same person may report the agent
 * again once it was published again.
 */
export const agentReports = pgTable(
  'agent_reports',
  {
    userId: owner(),
    creatorId: text('creator_id').notNull(),
    agentId: uuid('agent_id').notNull(),
    kind: text('kind').$type<ReportKind>().notNull(),
    words: text('words').notNull(),
    createdAt: instant('created_at').notNull().defaultNow(),
    closedAt: instant('closed_at'),
  },
  (t) => [
    primaryKey({ columns: [t.userId, t.creatorId, t.agentId] }),
    foreignKey({ columns: [t.creatorId, t.agentId], foreignColumns: [agents.userId, agents.id] }).onDelete('cascade'),
    index('agent_reports_agent').on(t.creatorId, t.agentId),
    index('agent_reports_open').on(t.creatorId, t.agentId, t.createdAt).where(sql`${t.closedAt} is null`),
  ],
);

/** Of public agents: the one that was public first under a name that looks the same, if another author's; null for nearly all. */
export const imitatedAgent = sql<Imitated | null>`(
  select json_build_object('creatorId', original.user_id, 'agentId', original.slug, 'name', original.name)
  from (
    select * from ${agents} same where same.is_public and same.deleted_at is null
      and ${nameLook(sql`same.name`)} = ${nameLook(agents.name)}
      and exists (select from ${user} author where author.id = same.user_id and not author.banned)
    order by coalesce(same.published_at, same.created_at), same.id limit 1
  ) original
  where original.user_id <> ${agents.userId} and ${nameLook(agents.name)} <> '')`;
