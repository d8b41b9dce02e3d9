import { formatAmount, paymentReport, paymentState } from '@atelier/contract/billing';
import { desc, eq, inArray, notInArray, or, sql } from 'drizzle-orm';
import type { Deps } from '../../platform/deps.ts';
import { userNames } from '../accounts/accounts.service.ts';
import { readLedger } from './billing.status.service.ts';
import { paymentEvents, payments } from './billing.table.ts';

/** As many as fit one reply of the running server. */
const LINES = 200;

/** The books for the operator: what needs a person first (refund due, refused, refunds, disputes), then the newest payments. */
export async function reportPayments(ctx: Pick<Deps, 'db'>, userId?: string): Promise<string> {
  const touched = ctx.db
    .select({ reference: paymentEvents.reference })
    .from(paymentEvents)
    // What is neither a state nor a report of ours is a provider's name of a refund or dispute.
    .where(notInArray(paymentEvents.entry, [...paymentState.options, ...paymentReport.options]));
  const needsPerson = or(inArray(payments.state, ['refund_due', 'refused']), inArray(payments.reference, touched));
  const rows = await ctx.db
    .select()
    .from(payments)
    .where(userId === undefined ? undefined : eq(payments.userId, userId))
    .orderBy(desc(sql`(${needsPerson})::int`), desc(payments.createdAt))
    .limit(40);
  if (rows.length === 0) return 'There are no payments.';
  const events = await readLedger(ctx, rows);
  const names = await userNames(ctx, [...new Set(rows.map((row) => row.userId))]);
  const lines = rows.flatMap((row) => [
    `${row.state.padEnd(10)} ${formatAmount(row.amount, row.currency)} ${row.mode.padEnd(7)} ${row.reference}  ${names.get(row.userId) ?? row.userId}`,
    ...events
      .filter(({ reference }) => reference === row.reference)
      .map((e) => `    ${e.createdAt.toISOString()}  ${e.entry} (${e.source})${e.note ? `: ${e.note}` : ''}`),
  ]);
  const cut = lines.length > LINES ? ['… older payments are left out'] : [];
  return [...lines.slice(0, LINES), ...cut].join('\n');
}
