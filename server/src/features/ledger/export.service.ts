import { calendarDay } from '@atelier/contract/usage';
import { sql } from 'drizzle-orm';
import { z } from 'zod';
import type { Reply } from '../../platform/command-socket.ts';
import type { Deps } from '../../platform/deps.ts';
import { tokenLedger, tokenTotals } from './ledger.table.ts';

/** As many lines as the socket of the running server takes well. */
const LINES = 8_000;
const COLUMNS = 'account,day,model,purpose,calls,tokens_read,tokens_written,estimated_calls,currency,cost';

const text = z.string().transform(quoted);
const line = z.tuple([text, text, text, text, z.number(), z.number(), z.number(), z.number(), text, z.string()]);

/** A field of text; a program for tables must not take it as a formula. */
function quoted(field: string): string {
  const plain = '=+-@\t\r'.includes(field.charAt(0)) && field !== '' ? `'${field}` : field;
  return `"${plain.replaceAll('"', '""')}"`;
}

/**
 * What models took from one day to another in UTC, both included, as CSV by account, day, model and purpose. Lines without an account have
 * what deleted ones took.
 */
export async function exportLedger(ctx: Pick<Deps, 'db'>, from: string, to: string): Promise<Reply> {
  if (![from, to].every((day) => calendarDay.safeParse(day).success) || from > to)
    return { ok: false, message: 'Name the days: --from 2026-11-01 --to 2026-11-30.' };
  const { rows } = z.object({ rows: z.array(z.object({ line })) }).parse(
    await ctx.db.execute(sql`
      with lines as (
        select u.email, (l.at at time zone 'UTC')::date as day, l.model, l.purpose, l.currency, sum(l.calls) as calls,
          sum(l.input_tokens) as read, sum(l.output_tokens) as written, sum(l.estimated) as estimated, sum(l.cost) as cost
        from ${tokenLedger} l join "user" u on u.id = l.user_id
        where l.at >= ${from}::date::timestamp at time zone 'UTC' and l.at < (${to}::date + 1)::timestamp at time zone 'UTC'
        group by u.email, 2, l.model, l.purpose, l.currency
      ), signed as (
        select day, model, purpose, currency, calls, input_tokens as read, output_tokens as written, estimated, cost
          from ${tokenTotals} where day between ${from}::date and ${to}::date
        union all
        select day, model, purpose, currency, -calls, -read, -written, -estimated, -cost from lines
      ), everything as (
        select * from lines
        union all
        select '', day, model, purpose, currency, sum(calls), sum(read), sum(written), sum(estimated), sum(cost)
          from signed group by day, model, purpose, currency having sum(calls) > 0
      )
      select json_build_array(email, day, model, purpose, calls, read, written, estimated, currency,
        case when currency = '' then '' else round(cost, 8)::text end) as line
      from everything order by day, email, model, purpose, currency limit ${LINES + 1}`),
  );
  if (rows.length > LINES) return { ok: false, message: 'There is too much in these days for one file. Choose fewer.' };
  return { ok: true, message: [COLUMNS, ...rows.map((row) => row.line.join(','))].join('\n') };
}
