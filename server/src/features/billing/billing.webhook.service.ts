import { SENTENCES } from '@atelier/contract/errors';
import { and, eq } from 'drizzle-orm';
import type { Deps } from '../../platform/deps.ts';
import { AppError } from '../../platform/errors.ts';
import { UNSTORABLE, unstorableField } from '../../platform/http/storable.ts';
import type { WebhookEvent } from '../../platform/payments/payments.ts';
import { enterState, lockPayment, settle, writeEvent } from './billing.settle.service.ts';
import { paymentEvents } from './billing.table.ts';

/**
 * Takes the provider's notice, as the bytes that were signed. 403 where the signature does not fit, 400 where what was signed can't be
 * read. A reference that is not ours changes nothing and is accepted, for one provider account may serve several shops.
 */
export async function receiveWebhook(ctx: Deps, body: Uint8Array, signature: string | undefined): Promise<void> {
  const event = readEvent(ctx, body, signature);
  if (event === null) throw new AppError('forbidden', SENTENCES.webhookRefused);
  if (event.kind === 'other') return;
  if (event.kind === 'aftermath') return recordAftermath(ctx, event);
  const settled = await settle(ctx, { seen: event.transaction, source: 'webhook' });
  if (settled === null) ctx.log.info('billing.unknown_reference', { event: 'charge.success' });
}

function readEvent(ctx: Deps, body: Uint8Array, signature: string | undefined): WebhookEvent | null {
  try {
    const event = ctx.payments.readWebhook(body, signature);
    if (unstorableField(event) !== null) throw new Error(UNSTORABLE);
    return event;
  } catch (cause) {
    throw new AppError('invalid_input', 'The notice can’t be read.', { cause });
  }
}

/** Writes a refund or dispute down, once each. Nobody loses Pro by it: that is for a person to decide. */
async function recordAftermath(ctx: Deps, event: Extract<WebhookEvent, { kind: 'aftermath' }>): Promise<void> {
  const { name: entry, id: note } = event;
  await ctx.db.transaction(async (tx) => {
    const payment = await lockPayment(tx, event.reference);
    if (payment === undefined || payment.mode !== ctx.payments.mode) return;
    const { userId, reference } = payment;
    const [known] = await tx
      .select({ id: paymentEvents.id })
      .from(paymentEvents)
      .where(
        and(
          eq(paymentEvents.userId, userId),
          eq(paymentEvents.reference, reference),
          eq(paymentEvents.entry, entry),
          eq(paymentEvents.note, note),
        ),
      );
    if (known !== undefined) return;
    await writeEvent(tx, payment, { entry, source: 'webhook', note });
    const whole = event.amount === null || event.amount >= payment.amount;
    if (entry === 'refund.processed' && whole)
      await enterState(ctx, tx, payment, { state: 'refunded', source: 'webhook' });
    await ctx.live.notify(tx, userId, 'account', userId);
  });
}
