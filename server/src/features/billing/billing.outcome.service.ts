import { formatAmount, type PaymentSource, type ProviderName } from '@atelier/contract/billing';
import { SENTENCES } from '@atelier/contract/errors';
import { and, eq, sql } from 'drizzle-orm';
import type { Deps } from '../../platform/deps.ts';
import { AppError } from '../../platform/errors.ts';
import { UNSTORABLE, unstorableField } from '../../platform/http/storable.ts';
import type { PaymentOutcome, PaymentProvider, WebhookEvent } from '../../platform/payments/payments.ts';
import { queueNotice } from '../accounts/accounts.mail.service.ts';
import {
  enterState,
  hasEvent,
  isClosed,
  isPaymentOf,
  judge,
  lockPayment,
  providerTrouble,
  writeEvent,
} from './billing.ledger.service.ts';
import { grantProWithin } from './billing.service.ts';
import { type PaymentRow, payments } from './billing.table.ts';

/** A reference that the provider doesn't know may still be on its way to it for this long. */
export const ON_ITS_WAY_SECONDS = 60;

/**
 * Every outcome is recorded here, whether page, webhook or re-check brought it. In one transaction the payment takes its state and, where it
 * is paid, its user becomes Pro: once, however often that is repeated. A payment of somebody who was Pro already is flagged for a refund.
 * Null for a reference that we never issued, or issued with another provider or in another mode.
 */
async function recordOutcome(
  ctx: Pick<Deps, 'db' | 'live' | 'mail' | 'config' | 'jobs' | 'trust'>,
  input: { outcome: PaymentOutcome; provider: Pick<PaymentProvider, 'name' | 'mode'>; source: PaymentSource },
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
  ctx: Pick<Deps, 'db' | 'live' | 'payments' | 'log' | 'mail' | 'config' | 'jobs' | 'trust'>,
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

/**
 * Takes a provider's webhook, as the bytes that were signed. 403 where the signature does not fit or the provider is not configured, 400
 * where what was signed can't be read. A reference that is not ours changes nothing and is accepted, as one provider account may serve
 * several shops.
 */
export async function receiveWebhook(ctx: Deps, name: ProviderName, body: Uint8Array, headers: Headers): Promise<void> {
  const provider = ctx.payments.providers.find((one) => one.name === name);
  const event = provider === undefined ? null : readEvent(provider, body, headers);
  if (provider === undefined || event === null) throw new AppError('forbidden', SENTENCES.webhookRefused);
  if (event.kind === 'other') return;
  if (event.kind === 'refund') return recordRefund(ctx, provider, event);
  const payment = await recordOutcome(ctx, { outcome: event.outcome, provider, source: 'webhook' });
  if (payment === null) ctx.log.info('billing.unknown_reference', { provider: name });
}

function readEvent(provider: PaymentProvider, body: Uint8Array, headers: Headers): WebhookEvent | null {
  try {
    const event = provider.readWebhook(body, headers);
    if (unstorableField(event) !== null) throw new Error(UNSTORABLE);
    return event;
  } catch (cause) {
    throw new AppError('invalid_input', 'The notice can’t be read.', { cause });
  }
}

/** Writes a refund or dispute to the ledger, once each. Nobody loses Pro by it: that is for a person to decide. */
async function recordRefund(
  ctx: Deps,
  provider: PaymentProvider,
  event: Extract<WebhookEvent, { kind: 'refund' }>,
): Promise<void> {
  const { name: entry, id: note } = event;
  await ctx.db.transaction(async (tx) => {
    const payment = await lockPayment(tx, event.reference);
    if (payment === undefined || !isPaymentOf(provider, payment)) return;
    if (await hasEvent(tx, payment, entry, note)) return;
    await writeEvent(tx, payment, { entry, source: 'webhook', note });
    await tx.update(payments).set({ attention: true }).where(eq(payments.reference, payment.reference));
    // What was paid in place of the right amount isn't kept; who gives any of it back has looked at it.
    const whole = payment.state === 'refused' || event.amount === null || event.amount >= payment.amount;
    if (event.isRefunded && whole) await enterState(ctx, tx, payment, { state: 'refunded', source: 'webhook' });
    await ctx.live.notify(tx, payment.userId, 'account', payment.userId);
  });
}
