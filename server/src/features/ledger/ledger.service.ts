import { calendarDay, type UsagePurpose } from '@atelier/contract/usage';
import { sql } from 'drizzle-orm';
import { boolean, jsonb, text } from 'drizzle-orm/pg-core';
import { NIL } from 'uuid';
import { z } from 'zod';
import type { Reply } from '../../platform/command-socket.ts';
import { sqlFunction } from '../../platform/database/sql-function.ts';
import type { Deps } from '../../platform/deps.ts';
import { costOf } from '../../platform/models/catalogue/prices.ts';
import type { Models } from '../../platform/models/models.ts';
import type { TokenCount } from '../../platform/models/tokens.ts';
import { tokenLedger } from './ledger.table.ts';

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

/** As many lines as the socket of the running server takes well. */
const LINES = 8_000;
const COLUMNS = 'account,day,model,purpose,calls,tokens_read,tokens_written,estimated_calls,currency,cost';

const cell = z.string().transform(quoted);
const line = z.tuple([cell, cell, cell, cell, z.number(), z.number(), z.number(), z.number(), cell, z.string()]);

/** A field of text; a program for tables must not take it as a formula. */
function quoted(field: string): string {
  const plain = '=+-@\t\r'.includes(field.charAt(0)) && field !== '' ? `'${field}` : field;
  return `"${plain.replaceAll('"', '""')}"`;
}

/** What models took from day to day in UTC, as CSV by account, day, model and purpose; without an account, what deleted ones took. */
export async function exportLedger(ctx: Pick<Deps, 'db'>, from: string, to: string): Promise<Reply> {
  if (![from, to].every((day) => calendarDay.safeParse(day).success) || from > to)
    return { ok: false, message: 'Name the days: --from 2026-11-01 --to 2026-11-30.' };
  const { rows } = z.object({ rows: z.array(z.object({ line })) }).parse(
    await ctx.db.execute(sql`
      select json_build_array(coalesce(u.email, ''), (l.at at time zone 'UTC')::date, l.model, l.purpose, sum(l.calls), sum(l.input_tokens),
        sum(l.output_tokens), sum(l.estimated), l.currency, case when l.currency = '' then '' else round(sum(l.cost), 8)::text end) as line
      from ${tokenLedger} l left join "user" u on u.id = l.user_id
      where l.at >= ${from}::date::timestamp at time zone 'UTC' and l.at < (${to}::date + 1)::timestamp at time zone 'UTC'
      group by u.email, (l.at at time zone 'UTC')::date, l.model, l.purpose, l.currency
      order by (l.at at time zone 'UTC')::date, coalesce(u.email, ''), l.model, l.purpose, l.currency limit ${LINES + 1}`),
  );
  if (rows.length > LINES) return { ok: false, message: 'There is too much in these days for one file. Choose fewer.' };
  return { ok: true, message: [COLUMNS, ...rows.map((row) => row.line.join(','))].join('\n') };
}
