import { jsonb, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import { instant } from '../../platform/database/columns.ts';
import { owner } from './accounts.table.ts';

/**
 * Ways into an account that don't work until their owner keeps them. The whole row moves here from its own table, so that nothing which looks
 * for a key, a passkey or a link has to know of suspension.
 */
export const suspendedWays = pgTable(
  'suspended_ways',
  {
    userId: owner(),
    id: uuid('id').notNull(),
    kind: text('kind', { enum: ['passkey', 'provider', 'two_factor', 'api_key', 'tool_server', 'link'] }).notNull(),
    name: text('name').notNull(),
    /** When the way was added; null for a second factor from before that was noted. */
    addedAt: instant('added_at'),
    suspendedAt: instant('suspended_at').notNull().defaultNow(),
    /** The row, as `to_jsonb` gives it; of a tool server what it knows the person by. */
    row: jsonb('row').notNull(),
  },
  (t) => [primaryKey({ columns: [t.userId, t.id] })],
);
