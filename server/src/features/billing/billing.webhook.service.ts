import type { ProviderName } from '@atelier/contract/billing';
import { SENTENCES } from '@atelier/contract/errors';
import type { Deps } from '../../platform/deps.ts';
import { AppError } from '../../platform/errors.ts';
import { UNSTORABLE, unstorableField } from '../../platform/http/storable.ts';
import type { PaymentProvider, WebhookEvent } from '../../platform/payments/payments.ts';
import { enterState, hasEvent, lockPayment, writeEvent } from './billing.ledger.service.ts';
import { recordOutcome } from './billing.outcome.service.ts';
import { isPaymentOf } from './billing.provider.service.ts';

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
    // What was paid in place of the right amount isn't kept; who gives any of it back has looked at it.
    const whole = payment.state === 'refused' || event.amount === null || event.amount >= payment.amount;
    if (event.isRefunded && whole) await enterState(ctx, tx, payment, { state: 'refunded', source: 'webhook' });
    await ctx.live.notify(tx, payment.userId, 'account', payment.userId);
  });
}
