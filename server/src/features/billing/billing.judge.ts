import type { PaymentMode, PaymentState } from '@atelier/contract/billing';
import type { ProviderTransaction } from '../../platform/payments/payments.ts';

/** What was asked for when the reference was issued. */
export interface Asked {
  reference: string;
  mode: PaymentMode;
  /** Minor units. */
  amount: number;
  currency: string;
}

export interface Judgement {
  state: Exclude<PaymentState, 'issued' | 'open' | 'refund_due' | 'void'>;
  /** Why refused, for the operator. */
  note?: string;
}

const WORDS = new Map<string, Judgement['state']>([
  ['abandoned', 'abandoned'],
  ['failed', 'failed'],
  ['reversed', 'refunded'],
]);

/**
 * What the provider's word about a transaction means for a payment. `paid` only where everything fits what was asked for; money that
 * came otherwise is `refused`, for a person to look at. A word we don't know leaves it pending: it will be asked about again.
 */
export function judge(asked: Asked, seen: ProviderTransaction): Judgement {
  if (seen.status !== 'success') return { state: WORDS.get(seen.status) ?? 'pending' };
  const domain = asked.mode === 'live' ? 'live' : 'test';
  const wrong = [
    seen.reference === asked.reference ? '' : 'another reference',
    seen.amount === asked.amount ? '' : `amount ${seen.amount} instead of ${asked.amount}`,
    seen.currency === asked.currency ? '' : `currency ${seen.currency} instead of ${asked.currency}`,
    seen.domain === domain ? '' : `domain ${seen.domain} instead of ${domain}`,
  ].filter((problem) => problem !== '');
  return wrong.length === 0 ? { state: 'paid' } : { state: 'refused', note: wrong.join(', ') };
}

/** Nothing that the provider says of a charge changes these. */
const CLOSED: ReadonlySet<PaymentState> = new Set(['paid', 'refund_due', 'refused', 'refunded']);
export const isClosed = (state: PaymentState) => CLOSED.has(state);
