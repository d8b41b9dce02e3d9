import type { Checkout } from '@atelier/contract/billing';
import { SENTENCES } from '@atelier/contract/errors';
import { useEffect, useRef, useState } from 'react';
import { ApiError } from '../../lib/http.ts';
import { toast } from '../../ui/toast.tsx';
import { postCheckout, postVerify } from './billing.api.ts';
import { abandonPopup, type CheckoutEnd, offersWallet, payInPopup } from './paystack-popup.ts';

/** After the form is gone the page asks once more; somebody who merely closed it need not wait long for that. */
const LAST_LOOK_MS = 5_000;

/** One checkout at a time for the whole page, whichever button began it. */
let busy = false;

/** What to say when no checkout could begin: the server's own sentence where it has decided something. */
function beginningRefused(error: unknown): string {
  const decided = error instanceof ApiError && (error.status === 409 || error.status === 503 || error.status === 401);
  return decided ? error.message : SENTENCES.paymentFormFailed;
}

/** What to say after the provider's form has reported success; null where the account is Pro now. */
async function confirmPaid(reference: string): Promise<string | null> {
  try {
    const { plan, payment } = await postVerify(reference);
    if (plan === 'pro') return null;
    return payment.state === 'refused' ? SENTENCES.paymentNotWritten : SENTENCES.paymentPending;
  } catch {
    return SENTENCES.paymentNotWritten;
  }
}

/** Whether it was paid after all, although the form did not say so. */
const paidAfterAll = (reference: string) =>
  postVerify(reference, { timeoutMs: LAST_LOOK_MS }).then(
    ({ plan }) => plan === 'pro',
    () => false,
  );

/** What to say at the end of a checkout; null where the account is Pro now. */
async function conclude(end: CheckoutEnd, { reference }: Checkout): Promise<string | null> {
  if (end === 'success') return confirmPaid(reference);
  if (end === 'unavailable') return SENTENCES.paymentFormFailed;
  if (await paidAfterAll(reference)) return null;
  return end === 'pending' ? SENTENCES.paymentPending : SENTENCES.paymentClosed;
}

/** Buying Pro, from the click to the last sentence. `sentence` is what an alert has to say. */
export function useCheckout() {
  const [working, setWorking] = useState(false);
  const [sentence, setSentence] = useState<string | null>(null);
  const [wallet, setWallet] = useState<Checkout | null>(null);
  const startedAt = useRef<string | null>(null);

  // Whoever goes to another page takes the form away with it. Turning Pro takes the button away too; then the form ends by itself.
  useEffect(
    () => () => {
      if (startedAt.current !== null && startedAt.current !== window.location.pathname) abandonPopup();
    },
    [],
  );

  function finish(said: string | null) {
    busy = false;
    startedAt.current = null;
    setWorking(false);
    setWallet(null);
    setSentence(said);
    if (said === null) toast.success(SENTENCES.paymentSucceeded);
  }

  const pay = async (checkout: Checkout) => finish(await conclude(await payInPopup(checkout), checkout));

  async function start() {
    if (busy) return;
    busy = true;
    startedAt.current = window.location.pathname;
    setWorking(true);
    try {
      const checkout = await postCheckout();
      // The account may not offer it, which only the library finds out; then the form follows at once.
      if (checkout.provider === 'paystack' && offersWallet()) setWallet(checkout);
      else await pay(checkout);
    } catch (error) {
      finish(beginningRefused(error));
    }
  }

  async function payWith(end: CheckoutEnd | 'form') {
    if (wallet === null) return;
    setWallet(null);
    if (end === 'form') await pay(wallet);
    else finish(await conclude(end, wallet));
  }

  return {
    working,
    sentence,
    start,
    dismiss: () => setSentence(null),
    /** The checkout for which Apple Pay is tried first. */
    wallet,
    payWith,
  };
}
