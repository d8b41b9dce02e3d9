import { formatAmount } from '@atelier/contract/billing';
import type { BookedPayment, PaymentsQuery } from '@atelier/contract/operator/payments';
import { and, desc, eq, sql } from 'drizzle-orm';
import { NIL } from 'uuid';
import type { Deps } from '../../platform/deps.ts';
import { AppError, notFound } from '../../platform/errors.ts';
import { decodeTextCursor, page } from '../../platform/http/cursor.ts';
import { userNames } from '../accounts/accounts.service.ts';
import { isClosed, isPaymentOf } from './billing.ledger.service.ts';
import { checkPayment } from './billing.outcome.service.ts';
import { readLedger } from './billing.status.service.ts';
import { type PaymentRow, payments } from './billing.table.ts';

type Ctx = Pick<Deps, 'db' | 'payments'>;

const mayAsk = (ctx: Ctx, row: PaymentRow) =>
  !isClosed(row.state) && ctx.payments.providers.some((provider) => isPaymentOf(provider, row));

/** The order of the books: what a person looks at first (a refund or a dispute), then the newest. References begin with their time. */
const ORDER = [desc(payments.attention), desc(payments.reference)];
const ofAccount = (id: string | undefined) => (id === undefined ? undefined : eq(payments.userId, id));

/** Payments with their history and the emails of their accounts. */
async function inBooks(ctx: Ctx, rows: PaymentRow[]): Promise<BookedPayment[]> {
  const events = rows.length === 0 ? [] : await readLedger(ctx, rows);
  const emails = await userNames(ctx, [...new Set(rows.map(({ userId }) => userId))]);
  return rows.map((row) => {
    const { reference, state, mode, provider, amount, currency, attention } = row;
    const account = { id: row.userId, email: emails.get(row.userId) ?? null };
    const [createdAt, paidAt] = [row.createdAt.toISOString(), row.paidAt?.toISOString() ?? null];
    const own = events
      .filter((event) => event.reference === reference)
      .map(({ createdAt: at, entry, source, note }) => ({ at: at.toISOString(), entry, source, note }));
    const payment = { reference, account, state, mode, provider, amount, currency, createdAt, paidAt, attention };
    return { ...payment, mayAsk: mayAsk(ctx, row), events: own };
  });
}

/** A page of the books. Throws 400 for a cursor of another list. */
export async function listPayments(
  ctx: Ctx,
  { account, cursor, limit }: PaymentsQuery,
): Promise<{ payments: BookedPayment[]; nextCursor: string | null }> {
  const after = decodeTextCursor(cursor);
  const position =
    after && sql`(${payments.attention}, ${payments.reference}) < (${after.at.startsWith('!')}, ${after.at.slice(1)})`;
  const matches = await ctx.db
    .select()
    .from(payments)
    .where(and(ofAccount(account), position))
    .orderBy(...ORDER)
    .limit(limit + 1);
  const { rows, nextCursor } = page(matches, limit, ({ attention, reference }) => ({
    at: `${attention ? '!' : ' '}${reference}`,
    id: NIL,
  }));
  return { payments: await inBooks(ctx, rows), nextCursor };
}

/**
 * Asks the provider again what became of a payment; `before` writes down that it is asked. Throws 404, 409 where nothing can change any more, and
 * 502 where it can't be asked.
 */
export async function askProvider(
  ctx: Deps,
  reference: string,
  before: (userId: string) => Promise<void>,
): Promise<BookedPayment> {
  const [row] = await ctx.db.select().from(payments).where(eq(payments.reference, reference));
  if (row === undefined) throw notFound('This payment');
  if (!mayAsk(ctx, row)) {
    const why = isClosed(row.state) ? 'Nothing can change about this payment here' : 'Its provider is not set up here';
    throw new AppError('conflict', `${why}. Look at it at the provider.`);
  }
  await before(row.userId);
  const [shown] = await inBooks(ctx, [await checkPayment(ctx, row, 'reconciliation')]);
  if (shown === undefined) throw notFound('This payment');
  return shown;
}

/** As many as fit one reply of the running server. */
const LINES = 200;

/** The books for a terminal: what needs a person first, then the newest payments. */
export async function reportPayments(ctx: Ctx, userId?: string): Promise<string> {
  const rows = await ctx.db
    .select()
    .from(payments)
    .where(ofAccount(userId))
    .orderBy(...ORDER)
    .limit(40);
  if (rows.length === 0) return 'There are no payments.';
  const lines = (await inBooks(ctx, rows)).flatMap(({ account, events, ...row }) => [
    `${row.state.padEnd(10)} ${formatAmount(row.amount, row.currency)} ${row.mode.padEnd(7)} ${row.reference}  ${account.email ?? account.id}`,
    ...events.map((e) => `    ${e.at}  ${e.entry} (${e.source})${e.note ? `: ${e.note}` : ''}`),
  ]);
  const cut = lines.length > LINES ? ['… older payments are left out'] : [];
  return [...lines.slice(0, LINES), ...cut].join('\n');
}
