import { z } from 'zod';
import { paymentMode, paymentSource, paymentState, providerName } from '../billing.ts';
import { calls, get, post, under } from '../calls.ts';
import { instant, pageQuery } from '../ids.ts';
import { optionalActBody } from './audit.ts';

/** A payment in the operator’s books, with its history. */
export const bookedPayment = z.object({
  reference: z.string(),
  account: z.object({ id: z.string(), email: z.string().nullable() }),
  state: paymentState,
  /** No money moves in `sandbox` and `test`. */
  mode: paymentMode,
  provider: providerName,
  amount: z.number().int(),
  currency: z.string(),
  createdAt: instant,
  paidAt: instant.nullable(),
  /** It has to do with a refund or a dispute. */
  attention: z.boolean(),
  /** Its provider is set up here and may still say something new. */
  mayAsk: z.boolean(),
  /** Oldest first. `note` says why it was refused, or has the id of the provider’s event. */
  events: z.array(z.object({ at: instant, entry: z.string(), source: paymentSource, note: z.string().nullable() })),
});
export type BookedPayment = z.infer<typeof bookedPayment>;

export const paymentsQuery = pageQuery.extend({
  /** Of one account. */
  account: z.string().max(100).optional(),
});
export type PaymentsQuery = z.infer<typeof paymentsQuery>;
export const paymentsAnswer = z.object({ payments: z.array(bookedPayment), nextCursor: z.string().nullable() });

export const askedAnswer = z.object({ payment: bookedPayment });

export const paymentsCalls = calls(under('/api/admin/payments', { who: 'operator' }), {
  list: get('', 'listPayments', 'The books: refunds and disputes first, then the newest payments.', {
    query: paymentsQuery,
    answer: paymentsAnswer,
  }),
  ask: post('/:reference/ask', 'askProvider', 'Asks the provider again what became of a payment.', {
    body: optionalActBody,
    answer: askedAnswer,
    fails: ['conflict', 'provider_failed'],
  }),
});
