import { formatAmount, type PaymentSource, type PaymentState } from '@atelier/contract/billing';
import { SENTENCES } from '@atelier/contract/errors';
import { and, eq, or, sql } from 'drizzle-orm';
import { v7 as uuidv7 } from 'uuid';
import type { Tx } from '../../platform/database/database.ts';
import type { Deps } from '../../platform/deps.ts';
import { AppError } from '../../platform/errors.ts';
import { type Outcome, PaymentError, type PaymentProvider } from '../../platform/payments/payments.ts';
import { queueNotice } from '../accounts/accounts.mail.service.ts';
import { isClosed, judge } from './billing.judge.ts';
import { grantProWithin } from './billing.service.ts';
import { type PaymentRow, paymentEvents, payments } from './billing.table.ts';

/** Seconds until an open payment is asked about again, and for how long that holds; afterwards hourly. */
export const RECHECK_SECONDS = 25;
export const nextCheck = sql`now() + case when ${payments.handedOutAt} > now() - interval '24 hours'
  then make_interval(secs => ${RECHECK_SECONDS}) else interval '1 hour' end`;
/** A reference that the provider doesn't know may still be on its way to it for this long. */
export const ON_ITS_WAY_SECONDS = 60;

/** Whether a payment was made with this provider, in the mode that the provider is in now. */
export const isPaymentOf = (provider: Pick<PaymentProvider, 'name' | 'mode'>, payment: PaymentRow) =>
  payment.provider === provider.name && payment.mode === provider.mode;

/** The same as a condition, for all providers that are configured. */
export const hasProvider = ({ payments: { providers } }: Pick<Deps, 'payments'>) =>
  or(sql`false`, ...providers.map(({ name, mode }) => and(eq(payments.provider, name), eq(payments.mode, mode))));

/** The payment, locked until the transaction ends. */
export async function lockPayment(tx: Tx, reference: string): Promise<PaymentRow | undefined> {
  const [row] = await tx.select().from(payments).where(eq(payments.reference, reference)).for('update');
  return row;
}

/** Adds a line to the ledger. */
export async function writeEvent(
  tx: Tx,
  payment: Pick<PaymentRow, 'userId' | 'reference'>,
  event: { entry: string; source: PaymentSource; note?: string | undefined },
): Promise<void> {
  const { userId, reference } = payment;
  await tx.insert(paymentEvents).values({ userId, id: uuidv7(), reference, ...event });
}

/** Whether the ledger of a payment has this entry already; with a note, only where that is the same too. */
export async function hasEvent(tx: Tx, payment: PaymentRow, entry: string, note?: string): Promise<boolean> {
  const own = and(eq(paymentEvents.userId, payment.userId), eq(paymentEvents.reference, payment.reference));
  const same = and(eq(paymentEvents.entry, entry), note === undefined ? undefined : eq(paymentEvents.note, note));
  return (await tx.$count(paymentEvents, and(own, same))) > 0;
}

/** Gives a locked payment its next state, writes that down and tells the user's open pages; the same state again changes nothing. */
export async function enterState(
  ctx: Pick<Deps, 'live'>,
  tx: Tx,
  payment: PaymentRow,
  to: { state: PaymentState; source: PaymentSource; note?: string | undefined; paidAt?: Date },
): Promise<PaymentRow> {
  if (payment.state === to.state) return payment;
  const over = isClosed(to.state) || to.state === 'void';
  const [row] = await tx
    .update(payments)
    .set({
      state: to.state,
      ...(to.paidAt === undefined ? {} : { paidAt: to.paidAt }),
      nextCheckAt: over ? null : nextCheck,
    })
    .where(eq(payments.reference, payment.reference))
    .returning();
  await writeEvent(tx, payment, { entry: to.state, source: to.source, note: to.note });
  await ctx.live.notify(tx, payment.userId, 'account', payment.userId);
  return row ?? payment;
}

/**
 * Every outcome is recorded here, whether page, webhook or re-check brought it. In one transaction the payment takes its state and, where it
 * is paid, its user becomes Pro: once, however often that is repeated. A payment of somebody who was Pro already is flagged for a refund.
 * Null for a reference that we never issued, or issued with another provider or in another mode.
 */
export async function recordOutcome(
  ctx: Pick<Deps, 'db' | 'live' | 'mail' | 'config' | 'jobs'>,
  input: { outcome: Outcome; provider: Pick<PaymentProvider, 'name' | 'mode'>; source: PaymentSource },
): Promise<PaymentRow | null> {
  const { outcome, provider, source } = input;
  return ctx.db.transaction(async (tx) => {
    const payment = await lockPayment(tx, outcome.reference);
    if (payment === undefined || !isPaymentOf(provider, payment)) return null;
    if (isClosed(payment.state)) return payment;
    const { state, note } = judge(payment, outcome);
    if (state !== 'paid') return enterState(ctx, tx, payment, { state, source, note });
    const paidAt = outcome.paidAt ?? new Date();
    const { userId, reference } = payment;
    const reason = payment.mode === 'live' ? `paid, told by ${source}` : `paid in ${payment.mode}, told by ${source}`;
    const { granted } = await grantProWithin(tx, { userId, source: 'payment', reason, reference, paidAt });
    if (granted) await queueNotice(ctx, tx, userId, receiptOf(payment, paidAt));
    return enterState(ctx, tx, payment, { state: granted ? 'paid' : 'refund_due', source, paidAt });
  });
}

const receiptOf = ({ reference, amount, currency, mode }: PaymentRow, paidAt: Date) =>
  ({
    kind: 'receipt',
    reference,
    amount: formatAmount(amount, currency),
    paidAt: paidAt.toISOString(),
    isRehearsal: mode !== 'live',
  }) as const;

/**
 * Asks the payment's own provider what became of it and records that; a payment whose provider is not configured stays as it is. 502 where
 * the provider can't be asked, 503 where it was paid and that could not be written.
 */
export async function checkPayment(
  ctx: Pick<Deps, 'db' | 'live' | 'payments' | 'log' | 'mail' | 'config' | 'jobs'>,
  payment: PaymentRow,
  source: PaymentSource,
): Promise<PaymentRow> {
  const provider = ctx.payments.providers.find((one) => isPaymentOf(one, payment));
  if (provider === undefined || isClosed(payment.state)) return payment;
  const outcome = await provider.getOutcome(payment.reference).catch(providerTrouble(ctx));
  if (outcome === null) return noteUnknown(ctx, payment, source);
  const recorded = await recordOutcome(ctx, { outcome, provider, source }).catch((cause: unknown) => {
    if (outcome.status !== 'paid') throw cause;
    ctx.log.error('billing.not_written', cause, { reference: payment.reference });
    throw new AppError('unavailable', SENTENCES.paymentNotWritten, { cause });
  });
  return recorded ?? payment;
}

/** The provider has never heard of it. It may still be on its way; what never got there can't be paid. */
async function noteUnknown(ctx: Pick<Deps, 'db' | 'live'>, seen: PaymentRow, source: PaymentSource) {
  return ctx.db.transaction(async (tx) => {
    const payment = await lockPayment(tx, seen.reference);
    if (payment === undefined || isClosed(payment.state)) return payment ?? seen;
    const waited = payment.checkoutToken === null ? ON_ITS_WAY_SECONDS : 86_400;
    const late = sql`${payments.handedOutAt} < now() - make_interval(secs => ${waited})`;
    const isLate = (await tx.$count(payments, and(eq(payments.reference, payment.reference), late))) > 0;
    const note = 'unknown to the provider';
    if (isLate) return enterState(ctx, tx, payment, { state: 'void', source, note });
    // Its token opens nothing: the next checkout takes a new one.
    return payment.checkoutToken === null ? payment : enterState(ctx, tx, payment, { state: 'failed', source, note });
  });
}

/** Translates the provider's trouble for people, and writes down what it was. */
export const providerTrouble = (ctx: Pick<Deps, 'log'>) => (error: unknown) => {
  if (!(error instanceof PaymentError)) throw error;
  ctx.log.error('billing.provider', error);
  throw new AppError('provider_failed', SENTENCES.paymentProviderFailed, { cause: error });
};
