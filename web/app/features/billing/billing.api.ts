import { billingAnswer, checkoutAnswer, type Verification, verifyAnswer } from '@atelier/contract/billing';
import { useMutation, useQuery } from '@tanstack/react-query';
import { type RequestOptions, request } from '../../lib/http.ts';
import { keys, queryClient } from '../../lib/query.ts';
import { refresh } from '../../lib/stale.ts';

/** The person's payments, and how one pays here. */
export function useBilling() {
  return useQuery({
    queryKey: keys.billing,
    queryFn: ({ signal }) => request(billingAnswer, 'GET', '/api/billing', undefined, { signal }),
  });
}

/** "I paid but am still Free": the server asks the provider about every open payment. */
export function useRecheck() {
  return useMutation({
    mutationFn: () => request(billingAnswer, 'POST', '/api/billing/recheck'),
    onSuccess: (billing) => {
      queryClient.setQueryData(keys.billing, billing);
      void queryClient.invalidateQueries({ queryKey: keys.me });
    },
  });
}

/** A reference to pay with. */
export const postCheckout = () => request(checkoutAnswer, 'POST', '/api/billing/checkout');

/** What became of a payment; whatever the answer, the pages show the newest plan and payments afterwards. */
export async function postVerify(reference: string, options?: RequestOptions): Promise<Verification> {
  try {
    return await request(verifyAnswer, 'POST', '/api/billing/verify', { reference }, options);
  } finally {
    refresh('account');
  }
}
