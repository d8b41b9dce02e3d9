import type { UsagePurpose } from '@atelier/contract/usage';
import { bigint, date, index, integer, numeric, pgTable, primaryKey, smallint, text, uuid } from 'drizzle-orm/pg-core';
import { instant } from '../../platform/database/columns.ts';

const amounts = {
  /** For example USD; empty where the price was not known. */
  currency: text('currency').notNull(),
  calls: integer('calls').notNull(),
  inputTokens: bigint('input_tokens', { mode: 'number' }).notNull(),
  outputTokens: bigint('output_tokens', { mode: 'number' }).notNull(),
  /** Of how many calls the tokens are estimated. */
  estimated: integer('estimated').notNull(),
  /** At the price of then. */
  cost: numeric('cost').notNull(),
};
const purpose = () => text('purpose').$type<UsagePurpose>().notNull();

/**
 * What an account's calls of models took, without a word of them. A row has what came in a quarter of an hour: every time zone's days begin
 * with one. Sessions and agents may be deleted; the rows stay until the account goes.
 */
export const tokenLedger = pgTable(
  'token_ledger',
  {
    userId: text('user_id').notNull(),
    /** The beginning of the quarter of an hour. */
    at: instant('at').notNull(),
    purpose: purpose(),
    model: text('model').notNull(),
    /** Nil where it was for no agent in particular. */
    agentId: uuid('agent_id').notNull(),
    ...amounts,
  },
  (t) => [
    primaryKey({ columns: [t.userId, t.at, t.purpose, t.model, t.agentId, t.currency] }),
    // For the operator's export.
    index('token_ledger_time').on(t.at),
  ],
);

/**
 * The same by day in UTC, of everybody together and of nobody in particular: it stays when accounts go. Each sum is spread over a few rows, so
 * that runs that end at once don't wait for each other.
 */
export const tokenTotals = pgTable(
  'token_totals',
  {
    day: date('day').notNull(),
    purpose: purpose(),
    model: text('model').notNull(),
    part: smallint('part').notNull(),
    ...amounts,
  },
  (t) => [primaryKey({ columns: [t.day, t.purpose, t.model, t.currency, t.part] })],
);
