import type { UsagePurpose } from '@atelier/contract/usage';
import { sql } from 'drizzle-orm';
import { boolean, jsonb, text } from 'drizzle-orm/pg-core';
import { NIL } from 'uuid';
import { sqlFunction } from '../../platform/database/sql-function.ts';
import type { Deps } from '../../platform/deps.ts';
import { costOf } from '../../platform/models/catalogue/prices.ts';
import type { Models } from '../../platform/models/models.ts';
import type { TokenCount } from '../../platform/models/tokens.ts';

/** A line of the ledger, as the database takes it. */
export interface LedgerEntry {
  purpose: UsagePurpose;
  model: string;
  agent_id: string;
  currency: string;
  calls: number;
  input_tokens: number;
  output_tokens: number;
  estimated: number;
  cost: number;
}

/** What a call was for, beside what it took. */
export interface LedgerCall {
  purpose: UsagePurpose;
  model: string;
  /** None where it was for no agent in particular. */
  agentId?: string;
}

export const atelierRecordTokens = sqlFunction(
  'atelier_record_tokens',
  { uid: text('_uid').notNull(), tokens: jsonb('_entries').$type<readonly LedgerEntry[]>() },
  boolean().notNull(),
);

/** What a call took as a line of the ledger, at the model's present price. */
export function toEntry(
  models: Models,
  { purpose, model, agentId = NIL }: LedgerCall,
  tokens: TokenCount,
): LedgerEntry {
  const { inputTokens, outputTokens, estimated } = tokens;
  const cost = costOf(models.priceOf(model), { input: inputTokens, output: outputTokens });
  return {
    purpose,
    model,
    agent_id: agentId,
    currency: cost === null ? '' : models.currency,
    calls: 1,
    input_tokens: inputTokens,
    output_tokens: outputTokens,
    estimated: estimated ? 1 : 0,
    cost: cost ?? 0,
  };
}

/** Stores what calls took in a statement of its own. A failure is logged: the provider is paid, and the work goes on. */
export async function recordTokens(
  { db, log }: Pick<Deps, 'db'> & Partial<Pick<Deps, 'log'>>,
  uid: string,
  tokens: readonly LedgerEntry[],
): Promise<void> {
  if (tokens.length === 0) return;
  try {
    await db.execute(sql`select ${atelierRecordTokens.call({ uid, tokens })}`);
  } catch (error) {
    log?.error('ledger.record', error);
  }
}
