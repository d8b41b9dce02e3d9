import { createHmac, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import type { WebhookEvent } from './payments.ts';
import { toTransaction, transactionData } from './paystack-client.ts';

const envelope = z.object({ event: z.string().max(100), data: z.unknown() });
const id = z.union([z.string(), z.number()]).transform(String);
/** Refunds name their transaction flat, disputes nested. */
const aftermath = z
  .object({
    id: id.nullish(),
    refund_reference: z.string().nullish(),
    amount: z.coerce.number().nullish(),
    transaction_reference: z.string().optional(),
    transaction: z.object({ reference: z.string() }).optional(),
  })
  .transform(({ transaction, transaction_reference: flat, ...rest }) => ({
    ...rest,
    reference: flat ?? transaction?.reference,
  }));

/** Whether the header is the hex HMAC-SHA512 of exactly these bytes under the key. */
export function isSigned(body: Uint8Array, signature: string | undefined, secretKey: string): boolean {
  const expected = createHmac('sha512', secretKey).update(body).digest();
  const given = Buffer.from(/^[0-9a-f]{128}$/iu.test(signature ?? '') ? (signature ?? '') : '', 'hex');
  return given.length === expected.length && timingSafeEqual(given, expected);
}

/** Reads a notice that is known to be signed; throws where it is not what the provider documents. */
export function readEvent(body: Uint8Array): WebhookEvent {
  const { event, data } = envelope.parse(JSON.parse(new TextDecoder().decode(body)));
  if (event === 'charge.success') return { kind: 'charge', transaction: toTransaction(transactionData.parse(data)) };
  if (!/^(?:refund|charge\.dispute)\./u.test(event)) return { kind: 'other', name: event };
  const { reference, id: own, refund_reference: refund, amount = null } = aftermath.parse(data);
  if (reference === undefined) throw new Error(`${event} names no transaction`);
  return { kind: 'aftermath', name: event, reference, id: own ?? refund ?? String(amount ?? ''), amount };
}
