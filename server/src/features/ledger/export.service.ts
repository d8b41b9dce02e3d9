import { calendarDay } from '@atelier/contract/usage';
import { sql } from 'drizzle-orm';
import { z } from 'zod';
import type { Reply } from '../../platform/command-socket.ts';
import type { Deps } from '../../platform/deps.ts';
import { tokenLedger } from './ledger.table.ts';

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
