import { createHmac, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import type { WebhookEvent } from '../payments.ts';
import { toOutcome, transactionData } from './transaction.ts';

const envelope = z.object({ event: z.string().max(100), data: z.unknown() });
const id = z.union([z.string(), z.number()]).transform(String);
/** Refunds name their transaction flat, disputes nested. */
const refundOrDispute = z
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
function isSigned(body: Uint8Array, signature: string, secretKey: string): boolean {
  const expected = createHmac('sha512', secretKey).update(body).digest();
  const given = Buffer.from(/^[0-9a-f]{128}$/iu.test(signature) ? signature : '', 'hex');
  return given.length === expected.length && timingSafeEqual(given, expected);
}

/** The event in a webhook; null where it is not signed. Throws where it is not what Paystack documents. */
export function readWebhook(body: Uint8Array, headers: Headers, secretKey: string): WebhookEvent | null {
  if (!isSigned(body, headers.get('x-paystack-signature') ?? '', secretKey)) return null;
  const { event: name, data } = envelope.parse(JSON.parse(new TextDecoder().decode(body)));
  if (name === 'charge.success') return { kind: 'outcome', outcome: toOutcome(transactionData.parse(data)) };
  if (!/^(?:refund|charge\.dispute)\./u.test(name)) return { kind: 'other', name };
  const { reference, id: own, refund_reference: refund, amount = null } = refundOrDispute.parse(data);
  if (reference === undefined) throw new Error(`${name} names no transaction`);
  const id = own ?? refund ?? String(amount ?? '');
  return { kind: 'refund', name, reference, id, amount, isRefunded: name === 'refund.processed' };
}
