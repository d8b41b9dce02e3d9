import { z } from 'zod';
import type { Outcome } from '../payments.ts';

/** Paystack documents numbers in minor units, and some of its answers have them as texts. */
const amount = z.union([
  z.number(),
  z
    .string()
    .regex(/^\d{1,15}$/u)
    .transform(Number),
]);

/**
 * A transaction as Paystack writes it, in an answer as in a webhook. Where the customer bears the fee, `amount` is what was taken, and
 * `requested_amount` what was asked for.
 */
export const transactionData = z.object({
  reference: z.string(),
  status: z.string(),
  amount,
  requested_amount: amount.nullish().catch(null),
  currency: z.string(),
  domain: z.string(),
  paid_at: z.string().nullish(),
});

const STATUSES = new Map<string, Outcome['status']>([
  ['success', 'paid'],
  ['abandoned', 'abandoned'],
  ['failed', 'failed'],
  ['reversed', 'refunded'],
]);

/** Paystack's transaction as an outcome. An unknown status is pending, an invalid time is treated as missing. */
export function toOutcome(data: z.infer<typeof transactionData>): Outcome {
  const { reference, amount: taken, requested_amount: requested, currency, domain } = data;
  const paidAt = new Date(data.paid_at ?? Number.NaN);
  return {
    reference,
    status: STATUSES.get(data.status) ?? 'pending',
    amount: taken,
    requested: requested ?? taken,
    currency,
    environment: domain,
    paidAt: Number.isNaN(paidAt.getTime()) ? null : paidAt,
  };
}
