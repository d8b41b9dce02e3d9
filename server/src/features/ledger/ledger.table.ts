import type { UsagePurpose } from '@atelier/contract/usage';
import { bigint, date, index, integer, numeric, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import { instant } from '../../platform/database/columns.ts';

const amounts = {
  /** For example USD; empty where the price was not known. */
  currency: text('currency').notNull(),
  inputTokens: bigint('input_tokens', { mode: 'number' }).notNull(),
  outputTokens: bigint('output_tokens', { mode: 'number' }).notNull(),
  /** At the price of then. */
  cost: numeric('cost').notNull(),
};

/**
 * What an account's calls of models took, without a word of them. A row has what came in a quarter of an hour: every time zone's days begin
 * with one. Sessions and agents may be deleted; the rows stay until the account goes, and are then nobody's, with an empty `user_id`.
 */
export const tokenLedger = pgTable(
  'token_ledger',
  {
    userId: text('user_id').notNull(),
    /** The beginning of the quarter of an hour. */
    at: instant('at').notNull(),
    purpose: text('purpose').$type<UsagePurpose>().notNull(),
    model: text('model').notNull(),
    /** Nil where it was for no agent in particular. */
    agentId: uuid('agent_id').notNull(),
    calls: integer('calls').notNull(),
    /** Of how many calls the tokens are estimated. */
    estimated: integer('estimated').notNull(),
    ...amounts,
  },
  (t) => [
    primaryKey({ columns: [t.userId, t.at, t.purpose, t.model, t.agentId, t.currency] }),
    // For what everybody took.
    index('token_ledger_time').on(t.at),
  ],
);

/**
 * What everybody took on a day in UTC that is over, so that a budget of the whole server doesn't add up a month for each message. The
 * function that accepts runs adds days while there is such a budget.
 */
export const tokenTotals = pgTable('token_totals', { day: date('day').notNull(), ...amounts }, (t) => [
  primaryKey({ columns: [t.day, t.currency] }),
]);
