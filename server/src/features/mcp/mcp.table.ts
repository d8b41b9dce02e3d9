import { and, asc, eq } from 'drizzle-orm';
import { boolean, jsonb, pgTable, primaryKey, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import { instant } from '../../platform/database/columns.ts';
import type { Deps } from '../../platform/deps.ts';
import type { McpTool } from '../../platform/mcp/mcp-connection.ts';
import { owner } from '../accounts/accounts.table.ts';

/** Tool servers that people added for themselves. */
export const mcpServers = pgTable(
  'mcp_servers',
  {
    userId: owner(),
    id: uuid('id').notNull(),
    /** Part of its tools' ids. Nobody else's server has it, so a copied agent's ids mean nothing to others. */
    key: text('key').notNull(),
    name: text('name').notNull(),
    url: text('url').notNull(),
    /** How it knows the person: not at all, by headers that they gave, or by a sign-in. */
    access: text('access', { enum: ['none', 'headers', 'sign_in'] })
      .notNull()
      .default('none'),
    /** Headers, tokens and a sign-in under way, encrypted for this row. */
    secrets: text('secrets'),
    /** The person has to sign in before it can be used. */
    signedOut: boolean('signed_out').notNull().default(false),
    /** The tools as approved: models see these, whatever the server says later. */
    tools: jsonb('tools').$type<McpTool[]>().notNull(),
    /** Since when the server describes them differently, and how; approving accepts exactly this. Without a time, nothing was ever approved. */
    changedAt: instant('changed_at'),
    offered: jsonb('offered').$type<McpTool[]>(),
    createdAt: instant('created_at').notNull().defaultNow(),
  },
  (t) => [primaryKey({ columns: [t.userId, t.id] }), uniqueIndex('mcp_servers_key').on(t.key)],
);

/** The tools of the operator's servers: as approved, and as described now if that differs. */
export const operatorToolPins = pgTable(
  'operator_tool_pins',
  {
    /** The server's key (`serverKey`). */
    server: text('server').notNull(),
    name: text('name').notNull(),
    /** What models see. Null for a tool that the server added later: nobody has approved it yet. */
    approved: jsonb('approved').$type<McpTool>(),
    offered: jsonb('offered').$type<McpTool>(),
    changedAt: instant('changed_at'),
    /** When an operator decided to leave the change off; it waits for nobody any more. */
    leftOffAt: instant('left_off_at'),
  },
  (t) => [primaryKey({ columns: [t.server, t.name] })],
);

export type OperatorToolPin = typeof operatorToolPins.$inferSelect;
export type McpServerRow = typeof mcpServers.$inferSelect;

/** The row of a person’s server. */
export const sameServer = ({ userId, id }: Pick<McpServerRow, 'userId' | 'id'>) =>
  and(eq(mcpServers.userId, userId), eq(mcpServers.id, id));

/** A user's own servers, oldest first. */
export const listServers = (ctx: Pick<Deps, 'db'>, uid: string): Promise<McpServerRow[]> =>
  ctx.db.select().from(mcpServers).where(eq(mcpServers.userId, uid)).orderBy(asc(mcpServers.createdAt));
