import { z } from 'zod';
import type { Outcome } from '../payments.ts';

/** A transaction as Paystack writes it, in an answer as in a webhook. */
export const transactionData = z.object({
  reference: z.string(),
  status: z.string(),
  amount: z.number(),
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
  const { reference, amount, currency, domain } = data;
  const paidAt = new Date(data.paid_at ?? Number.NaN);
  return {
    reference,
    status: STATUSES.get(data.status) ?? 'pending',
    amount,
    currency,
    environment: domain,
    paidAt: Number.isNaN(paidAt.getTime()) ? null : paidAt,
  };
}
