import {
  billingCalls,
  type Payment,
  type PaymentReport,
  UNDECIDED,
  type Verification,
} from '@atelier/contract/billing';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useAuth } from '../../lib/auth.tsx';
import { ApiError, call, type RequestOptions } from '../../lib/http.ts';
import { refresh } from '../../lib/live/stale.ts';
import { callQuery, keys, queryClient } from '../../lib/query.ts';
import { dropReport, type UnheardReport, useUnheardReport } from './payment-report.ts';

/** The person's payments, and how one pays here. What this browser reported counts before the server has heard of it. */
export function useBilling() {
  const { user } = useAuth();
  const unheard = useUnheardReport(user?.uid);
  return useQuery({
    ...callQuery(keys.billing, billingCalls.get),
    enabled: user !== null,
    select: (billing) => ({ ...billing, payments: billing.payments.map((payment) => withReport(payment, unheard)) }),
  });
}

const withReport = (payment: Payment, unheard: UnheardReport | null): Payment =>
  payment.reference === unheard?.reference && payment.confirming === null && UNDECIDED.has(payment.state)
    ? { ...payment, confirming: unheard.report }
    : payment;

const REPORT_AGAIN_MS = 10_000;

/**
 * What stands in place of the purchase: a payment or bank transfer that is being confirmed, or money that came and did not fit; null where
 * nothing does. A report that the server missed is sent again until it arrives.
 */
export function useUnsettled(): PaymentReport | 'refused' | null {
  const { user } = useAuth();
  const { data } = useBilling();
  const unheard = useUnheardReport(user?.uid);
  useEffect(() => {
    if (unheard === null) return;
    const send = () => void postVerify(unheard.reference, unheard.report).catch(() => {});
    const timer = setInterval(send, REPORT_AGAIN_MS);
    return () => clearInterval(timer);
  }, [unheard]);
  if (data?.payments.some(({ state }) => state === 'refused')) return 'refused';
  return data?.payments.find(({ confirming }) => confirming !== null)?.confirming ?? unheard?.report ?? null;
}

/** "I paid but am still Free": the server asks the provider about every open payment. */
export function useRecheck() {
  return useMutation({
    mutationFn: () => call(billingCalls.recheck),
    onSuccess: (billing) => {
      queryClient.setQueryData(keys.billing, billing);
      void queryClient.invalidateQueries({ queryKey: keys.me });
    },
  });
}

/** A reference to pay with. */
export const postCheckout = () => call(billingCalls.checkout);

/** What became of a payment, after telling the server what the form reported; the pages show the newest plan and payments afterwards. */
export async function postVerify(
  reference: string,
  report?: PaymentReport,
  options?: RequestOptions,
): Promise<Verification> {
  try {
    const answer = await call(billingCalls.verify, { body: { reference, report }, ...options });
    dropReport(reference);
    return answer;
  } catch (error) {
    // A payment that is not this user's will never be accepted.
    if (error instanceof ApiError && error.status === 404) dropReport(reference);
    throw error;
  } finally {
    refresh('account');
  }
}
