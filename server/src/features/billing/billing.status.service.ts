import {
  type Billing,
  type Payment,
  type PaymentReport,
  type PaymentState,
  PRO_PRICE,
  paymentReport,
  UNDECIDED,
  type Verification,
  type VerifyBody,
} from '@atelier/contract/billing';
import { and, asc, desc, eq, inArray } from 'drizzle-orm';
import type { Caller } from '../../access.ts';
import type { Deps } from '../../platform/deps.ts';
import { notFound } from '../../platform/errors.ts';
import { planOf } from '../accounts/accounts.counts.service.ts';
import { checkOpenPayments } from './billing.checkout.service.ts';
import { hasEvent, isClosed, lockPayment, writeEvent } from './billing.ledger.service.ts';
import { checkPayment } from './billing.outcome.service.ts';
import { type PaymentRow, paymentEvents, payments } from './billing.table.ts';

/** More than anybody has; the newest are shown. */
const SHOWN = 50;

/** Plan, price and all payments of the caller with their ledger, newest first. */
export async function getBilling(ctx: Pick<Deps, 'db' | 'payments'>, caller: Caller): Promise<Billing> {
  const rows = await ctx.db
    .select()
    .from(payments)
    .where(eq(payments.userId, caller.uid))
    .orderBy(desc(payments.createdAt), desc(payments.reference))
    .limit(SHOWN);
  return {
    plan: await planOf(ctx.db, caller.uid),
    provider: ctx.payments.current?.name ?? 'off',
    offBecause: ctx.payments.offBecause,
    price: PRO_PRICE,
    payments: await withEvents(ctx, rows),
  };
}

/**
 * What became of one payment of the caller's, after asking the provider; 404 for a reference that is not theirs. What the checkout form
 * reported is written down first, so that it is known even where the provider can't be asked.
 */
export async function verifyPayment(
  ctx: Deps,
  caller: Caller,
  { reference, report }: VerifyBody,
): Promise<Verification> {
  const payment = await getPayment(ctx, and(eq(payments.userId, caller.uid), eq(payments.reference, reference)));
  if (report !== undefined) await noteReport(ctx, reference, report);
  const [shown] = await withEvents(ctx, [await checkPayment(ctx, payment, 'browser')]);
  if (shown === undefined) throw notFound('This payment');
  return { plan: await planOf(ctx.db, caller.uid), payment: shown };
}

/** "I paid but am still Free": asks the provider about every open payment of the caller; 502 where it can't be asked. */
export async function recheckPayments(ctx: Deps, caller: Caller): Promise<Billing> {
  await checkOpenPayments(ctx, caller.uid, 'browser');
  return getBilling(ctx, caller);
}

/** Throws 404 for a checkout that is not the caller's own. */
export async function requireOwnToken(ctx: Deps, caller: Caller, token: string): Promise<void> {
  await getPayment(ctx, and(eq(payments.userId, caller.uid), eq(payments.checkoutToken, token)));
}

/** Writes a report down once, unless the payment is over. */
async function noteReport(ctx: Deps, reference: string, report: PaymentReport): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    const payment = await lockPayment(tx, reference);
    if (payment === undefined || isClosed(payment.state) || (await hasEvent(tx, payment, report))) return;
    await writeEvent(tx, payment, { entry: report, source: 'browser' });
    await ctx.live.notify(tx, payment.userId, 'account', payment.userId);
  });
}

/** A report that the provider has not confirmed within this long no longer keeps anybody from buying, in milliseconds. */
const BELIEVED_MS: Record<PaymentReport, number> = { reported: 60 * 60_000, transfer: 24 * 60 * 60_000 };

function reportOf(state: PaymentState, events: readonly { entry: string; createdAt: Date }[]): PaymentReport | null {
  if (!UNDECIDED.has(state)) return null;
  const last = events.findLast(({ entry }) => paymentReport.safeParse(entry).success);
  const report = paymentReport.safeParse(last?.entry).data;
  if (last === undefined || report === undefined) return null;
  return Date.now() - last.createdAt.getTime() < BELIEVED_MS[report] ? report : null;
}

async function getPayment(ctx: Pick<Deps, 'db'>, which: ReturnType<typeof and>): Promise<PaymentRow> {
  const [row] = await ctx.db.select().from(payments).where(which);
  if (row === undefined) throw notFound('This payment');
  return row;
}

/** The ledger of some payments, oldest entry first. */
export async function readLedger(ctx: Pick<Deps, 'db'>, rows: readonly PaymentRow[]) {
  const owners = rows.map(({ userId }) => userId);
  const references = rows.map(({ reference }) => reference);
  return ctx.db
    .select()
    .from(paymentEvents)
    .where(and(inArray(paymentEvents.userId, owners), inArray(paymentEvents.reference, references)))
    .orderBy(asc(paymentEvents.createdAt), asc(paymentEvents.id));
}

async function withEvents(ctx: Pick<Deps, 'db'>, rows: PaymentRow[]): Promise<Payment[]> {
  const events = await readLedger(ctx, rows);
  return rows.map(({ reference, state, mode, amount, currency, createdAt, paidAt }) => {
    const own = events.filter((event) => event.reference === reference);
    return {
      reference,
      state,
      mode,
      amount,
      currency,
      createdAt: createdAt.toISOString(),
      paidAt: paidAt?.toISOString() ?? null,
      confirming: reportOf(state, own),
      events: own.map(({ createdAt: at, entry, source }) => ({ at: at.toISOString(), entry, source })),
    };
  });
}
