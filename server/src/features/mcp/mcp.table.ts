import { jsonb, pgTable, primaryKey, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import { instant } from '../../platform/database/columns.ts';
import type { McpTool } from '../../platform/mcp/mcp-connection.ts';
import { user } from '../accounts/accounts.table.ts';

/** Servers of tools that people added for themselves. */
export const mcpServers = pgTable(
  'mcp_servers',
  {
    userId: text('user_id')
      .notNull()
      .references(() => user.id, { onDelete: 'cascade' }),
    id: uuid('id').notNull(),
    /** Stands in the ids of its tools; nobody else's server has it, so that a copied agent's ids mean nothing to others. */
    key: text('key').notNull(),
    name: text('name').notNull(),
    url: text('url').notNull(),
    /** The tools as they were approved: this is what a model is told, whatever the server says later. */
    tools: jsonb('tools').$type<McpTool[]>().notNull(),
    /** Since when the server describes them otherwise. */
    changedAt: instant('changed_at'),
    createdAt: instant('created_at').notNull().defaultNow(),
  },
  (t) => [primaryKey({ columns: [t.userId, t.id] }), uniqueIndex('mcp_servers_key').on(t.key)],
);

export type McpServerRow = typeof mcpServers.$inferSelect;
