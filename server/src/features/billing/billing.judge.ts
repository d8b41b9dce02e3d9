import type { PaymentState } from '@atelier/contract/billing';
import type { Outcome } from '../../platform/payments/payments.ts';
import type { PaymentRow } from './billing.table.ts';

/**
 * The state of a payment after the provider's outcome. `paid` only where everything fits what was asked for; money that came otherwise is
 * `refused`, with a note for the operator.
 */
export function judge(
  payment: Pick<PaymentRow, 'reference' | 'mode' | 'amount' | 'currency'>,
  outcome: Outcome,
): { state: Outcome['status'] | 'refused'; note?: string } {
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
const isPaidInFull = (price: number, { amount, requested }: Outcome): boolean => amount >= price && requested === price;

/** No outcome changes these. */
const CLOSED: ReadonlySet<PaymentState> = new Set(['paid', 'refund_due', 'refused', 'refunded']);
export const isClosed = (state: PaymentState) => CLOSED.has(state);
