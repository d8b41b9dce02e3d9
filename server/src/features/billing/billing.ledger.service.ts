import type { PaymentSource, PaymentState } from '@atelier/contract/billing';
import { SENTENCES } from '@atelier/contract/errors';
import { and, eq, or, sql } from 'drizzle-orm';
import { v7 as uuidv7 } from 'uuid';
import type { Tx } from '../../platform/database/database.ts';
import type { Deps } from '../../platform/deps.ts';
import { AppError } from '../../platform/errors.ts';
import { PaymentError, type PaymentOutcome, type PaymentProvider } from '../../platform/payments/payments.ts';
import { type PaymentRow, paymentEvents, payments } from './billing.table.ts';

/** Seconds until an open payment is asked about again, and for how long that holds; afterwards hourly. */
export const RECHECK_SECONDS = 25;
export const nextCheck = sql`now() + case when ${payments.handedOutAt} > now() - interval '24 hours'
  then make_interval(secs => ${RECHECK_SECONDS}) else interval '1 hour' end`;

/** The payment, locked until the transaction ends. */
export async function lockPayment(tx: Tx, reference: string): Promise<PaymentRow | undefined> {
  const [row] = await tx.select().from(payments).where(eq(payments.reference, reference)).for('update');
  return row;
}

/** Adds a line to the ledger, at this moment: its transaction may have begun before the last line was written. */
export async function writeEvent(
  tx: Tx,
  payment: Pick<PaymentRow, 'userId' | 'reference'>,
  event: { entry: string; source: PaymentSource; note?: string | undefined },
): Promise<void> {
  const { userId, reference } = payment;
  await tx
    .insert(paymentEvents)
    .values({ userId, id: uuidv7(), reference, ...event, createdAt: sql`clock_timestamp()` });
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
      ...(NEEDS_PERSON.has(to.state) && { attention: true }),
      nextCheckAt: over ? null : nextCheck,
    })
    .where(eq(payments.reference, payment.reference))
    .returning();
  await writeEvent(tx, payment, { entry: to.state, source: to.source, note: to.note });
  await ctx.live.notify(tx, payment.userId, 'account', payment.userId);
  return row ?? payment;
}

/**
 * The state of a payment after the provider's outcome. `paid` only where everything fits what was asked for; money that came otherwise is
 * `refused`, with a note for the operator.
 */
export function judge(
  payment: Pick<PaymentRow, 'reference' | 'mode' | 'amount' | 'currency'>,
  outcome: PaymentOutcome,
): { state: PaymentOutcome['status'] | 'refused'; note?: string } {
  if (outcome.status !== 'paid') return { state: outcome.status };
  const environment = payment.mode === 'live' ? 'live' : 'test';
  const wrong = [
    outcome.reference === payment.reference ? '' : 'another reference',
    isPaidInFull(payment.amount, outcome) ? '' : `amount ${outcome.amount} instead of ${payment.amount}`,
    outcome.currency === payment.currency ? '' : `currency ${outcome.currency} instead of ${payment.currency}`,
    outcome.environment === environment ? '' : `environment ${outcome.environment} instead of ${environment}`,
  ].filter((problem) => problem !== '');
  return wrong.length === 0 ? { state: 'paid' } : { state: 'refused', note: wrong.join(', ') };
}

/** The price, or more where the customer bears the provider's fee: then the provider says that it was asked for the price. */
const isPaidInFull = (price: number, { amount, requested }: PaymentOutcome): boolean =>
  amount >= price && requested === price;

/** Somebody has to give the money back. */
const NEEDS_PERSON: ReadonlySet<PaymentState> = new Set(['refund_due', 'refused']);

/** No outcome changes these. */
const CLOSED: ReadonlySet<PaymentState> = new Set(['paid', 'refund_due', 'refused', 'refunded']);
export const isClosed = (state: PaymentState) => CLOSED.has(state);

/** Whether a payment was made with this provider, in the mode that the provider is in now. */
export const isPaymentOf = (provider: Pick<PaymentProvider, 'name' | 'mode'>, payment: PaymentRow) =>
  payment.provider === provider.name && payment.mode === provider.mode;

/** The same as a condition, for all providers that are configured. */
export const hasProvider = ({ payments: { providers } }: Pick<Deps, 'payments'>) =>
  or(sql`false`, ...providers.map(({ name, mode }) => and(eq(payments.provider, name), eq(payments.mode, mode))));

/** Translates the provider's trouble for people, and writes down what it was. */
export const providerTrouble = (ctx: Pick<Deps, 'log'>) => (error: unknown) => {
  if (!(error instanceof PaymentError)) throw error;
  ctx.log.error('billing.provider', error);
  throw new AppError('provider_failed', SENTENCES.paymentProviderFailed, { cause: error });
};
