import { bigint, numeric, pgTable, primaryKey, uuid } from 'drizzle-orm/pg-core';
import { instant } from '../../platform/database/columns.ts';
import { owner } from '../accounts/accounts.table.ts';

/**
 * What calls of models outside answers may take of the budgets while they are under way. A row counts until its time is over: that of a process
 * that was killed needs nobody who takes it away.
 */
export const budgetReservations = pgTable(
  'budget_reservations',
  {
    userId: owner(),
    id: uuid('id').notNull(),
    tokens: bigint('tokens', { mode: 'number' }).notNull(),
    /** Null without a budget in money. */
    cost: numeric('cost'),
    until: instant('until').notNull(),
  },
  (t) => [primaryKey({ columns: [t.userId, t.id] })],
);
