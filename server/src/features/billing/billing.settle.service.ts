import type { PaymentSource, PaymentState } from '@atelier/contract/billing';
import { SENTENCES } from '@atelier/contract/errors';
import { and, eq, sql } from 'drizzle-orm';
import { v7 as uuidv7 } from 'uuid';
import type { Tx } from '../../platform/database/database.ts';
import type { Deps } from '../../platform/deps.ts';
import { AppError } from '../../platform/errors.ts';
import { PaymentError, type ProviderTransaction } from '../../platform/payments/payments.ts';
import { isClosed, judge } from './billing.judge.ts';
import { grantProWithin } from './billing.service.ts';
import { paymentEvents, payments } from './billing.table.ts';

export type PaymentRow = typeof payments.$inferSelect;

/** Seconds until an open payment is asked about again, and for how long that holds; afterwards hourly. */
export const RECHECK_SECONDS = 25;
export const nextCheck = sql`now() + case when ${payments.handedOutAt} > now() - interval '24 hours'
  then make_interval(secs => ${RECHECK_SECONDS}) else interval '1 hour' end`;
/** A reference that the provider doesn't know may still be on its way to it for this long. */
export const ON_ITS_WAY_SECONDS = 60;

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
 * Everything that tells of a payment ends here: page, notice and re-check. In one transaction the payment takes its state and, where
 * it is paid, its user Pro; however often and from however many sides it is told, that happens once. A payment of somebody who was Pro
 * already is flagged for a refund. Null for a reference that we never issued, or issued in another mode.
 */
export async function settle(
  ctx: Pick<Deps, 'db' | 'live' | 'payments'>,
  input: { seen: ProviderTransaction; source: PaymentSource },
): Promise<PaymentRow | null> {
  const { seen, source } = input;
  return ctx.db.transaction(async (tx) => {
    const payment = await lockPayment(tx, seen.reference);
    if (payment === undefined || payment.mode !== ctx.payments.mode) return null;
    if (isClosed(payment.state)) return payment;
    const { state, note } = judge(payment, seen);
    if (state !== 'paid') return enterState(ctx, tx, payment, { state, source, note });
    const paidAt = seen.paidAt ?? new Date();
    const { userId, reference } = payment;
    const reason = payment.mode === 'live' ? `paid, told by ${source}` : `paid in ${payment.mode}, told by ${source}`;
    const { granted } = await grantProWithin(tx, { userId, source: 'payment', reason, reference, paidAt });
    return enterState(ctx, tx, payment, { state: granted ? 'paid' : 'refund_due', source, paidAt });
  });
}

/** Asks the provider about a payment and settles it; 502 where it can't be asked, 503 where it was paid and that could not be written. */
export async function checkPayment(
  ctx: Pick<Deps, 'db' | 'live' | 'payments' | 'log'>,
  payment: PaymentRow,
  source: PaymentSource,
): Promise<PaymentRow> {
  if (isClosed(payment.state) || payment.mode !== ctx.payments.mode) return payment;
  const seen = await ctx.payments.verify(payment.reference).catch(providerTrouble(ctx));
  if (seen === null) return noteUnknown(ctx, payment, source);
  const settled = await settle(ctx, { seen, source }).catch((cause: unknown) => {
    if (seen.status !== 'success') throw cause;
    ctx.log.error('billing.not_written', cause, { reference: payment.reference });
    throw new AppError('unavailable', SENTENCES.paymentNotWritten, { cause });
  });
  return settled ?? payment;
}

/** The provider has never heard of it. That can be a moment's matter; what never got there can't be paid. */
async function noteUnknown(ctx: Pick<Deps, 'db' | 'live'>, seen: PaymentRow, source: PaymentSource) {
  return ctx.db.transaction(async (tx) => {
    const payment = await lockPayment(tx, seen.reference);
    if (payment === undefined || isClosed(payment.state)) return payment ?? seen;
    const [late] = await tx
      .select({ reference: payments.reference })
      .from(payments)
      .where(
        and(
          eq(payments.reference, payment.reference),
          sql`${payments.handedOutAt} < now() - make_interval(secs => ${payment.accessCode === null ? ON_ITS_WAY_SECONDS : 86_400})`,
        ),
      );
    const note = 'unknown to the provider';
    if (late !== undefined) return enterState(ctx, tx, payment, { state: 'void', source, note });
    // Its access code leads nowhere: the next checkout takes a new one.
    return payment.accessCode === null ? payment : enterState(ctx, tx, payment, { state: 'failed', source, note });
  });
}

/** Translates the provider's trouble for people, and writes down what it was. */
export const providerTrouble = (ctx: Pick<Deps, 'log'>) => (error: unknown) => {
  if (!(error instanceof PaymentError)) throw error;
  if (error.kind === 'off') throw new AppError('unavailable', SENTENCES.paymentOff);
  ctx.log.error('billing.provider', error);
  throw new AppError('provider_failed', SENTENCES.paymentProviderFailed, { cause: error });
};
