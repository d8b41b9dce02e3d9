import { index, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import { instant } from '../../platform/database/columns.ts';
import { user } from '../accounts/accounts.table.ts';

/** Why an account is Pro: one row for each grant, never changed. */
export const proGrants = pgTable(
  'pro_grants',
  {
    userId: text('user_id')
      .notNull()
      .references(() => user.id, { onDelete: 'cascade' }),
    id: uuid('id').notNull(),
    source: text('source', { enum: ['operator', 'payment'] }).notNull(),
    reason: text('reason').notNull(),
    reference: text('reference'),
    createdAt: instant('created_at').notNull().defaultNow(),
  },
  (t) => [primaryKey({ columns: [t.userId, t.id] }), index('pro_grants_reference').on(t.reference)],
);
