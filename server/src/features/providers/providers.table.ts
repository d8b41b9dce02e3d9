import { integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { instant } from '../../platform/database/columns.ts';

/** Models that an operator has taken away. Everything else that the providers list is offered. */
export const modelExclusions = pgTable(
  'model_exclusions',
  {
    provider: text('provider').notNull(),
    /** Its name at the provider. */
    model: text('model').notNull(),
    createdAt: instant('created_at').notNull().defaultNow(),
  },
  (t) => [primaryKey({ columns: [t.provider, t.model] })],
);

/** When each provider last answered, and how it last failed: numbers and names of programs, no words of people or models. */
export const providerUses = pgTable('provider_uses', {
  provider: text('provider').primaryKey(),
  answeredAt: instant('answered_at'),
  failedAt: instant('failed_at'),
  status: integer('status'),
  code: text('code'),
  type: text('type'),
});
