import type { Checkout } from '@atelier/contract/billing';
import { SENTENCES } from '@atelier/contract/errors';
import { useEffect, useRef, useState } from 'react';
import { ApiError } from '../../lib/http.ts';
import { postCheckout, postVerify } from './billing.api.ts';
import { keepReport } from './payment-report.ts';
import { abandonPopup, type CheckoutEnd, payInPopup } from './paystack-popup.ts';
import { offersWallet } from './wallet-button.ts';

/** After the form is gone the page asks once more; somebody who merely closed it need not wait long for that. */
const LAST_LOOK_MS = 5_000;

/** One checkout at a time for the whole page, whichever button began it. */
let busy = false;

/** What to say when no checkout could begin: the server's own sentence where it has decided something. */
function beginningRefused(error: unknown): string {
  const decided = error instanceof ApiError && [401, 403, 409, 503].includes(error.status);
  return decided ? error.message : SENTENCES.paymentFormFailed;
}

/** What to say after the form has reported success; null where the account is Pro now. */
async function confirmPaid(reference: string): Promise<string | null> {
  try {
    const { plan, payment } = await postVerify(reference, 'reported');
    if (plan === 'pro') return null;
    if (payment.state === 'refused') return SENTENCES.paymentNotWritten;
    return payment.state === 'failed' ? SENTENCES.paymentDeclined : SENTENCES.paymentConfirming;
  } catch {
    return SENTENCES.paymentNotWritten;
  }
}

/** What to say after the form is gone without a success; null where it was paid after all. */
async function lookAgain(reference: string, end: 'pending' | 'closed'): Promise<string | null> {
  const report = end === 'pending' ? 'transfer' : undefined;
  const plan = await postVerify(reference, report, { timeoutMs: LAST_LOOK_MS }).then(
    (answer) => answer.plan,
    () => 'free',
  );
  if (plan === 'pro') return null;
  return end === 'pending' ? SENTENCES.paymentPending : SENTENCES.paymentClosed;
}

/** What to say at the end of a checkout; null where the account is Pro now. */
async function conclude(uid: string, end: CheckoutEnd, { reference }: Checkout): Promise<string | null> {
  if (end === 'unavailable') return SENTENCES.paymentFormFailed;
  if (end === 'closed') return lookAgain(reference, end);
  keepReport(uid, reference, end === 'success' ? 'reported' : 'transfer');
  return end === 'success' ? confirmPaid(reference) : lookAgain(reference, end);
}

/** Buying Pro, from the click to the last sentence. `sentence` is what an alert has to say. */
export function useCheckout(uid: string) {
  const [working, setWorking] = useState(false);
  const [sentence, setSentence] = useState<string | null>(null);
  const [wallet, setWallet] = useState<Checkout | null>(null);
  const startedAt = useRef<string | null>(null);

  // Going to another page takes the form away. Turning Pro takes the button away too; then the form ends by itself.
  useEffect(
    () => () => {
      if (startedAt.current !== null && startedAt.current !== window.location.pathname) abandonPopup();
    },
    [],
  );

  function finish(sentence: string | null) {
    busy = false;
    startedAt.current = null;
    setWorking(false);
    setWallet(null);
    setSentence(sentence);
  }

  const pay = async (checkout: Checkout) => finish(await conclude(uid, await payInPopup(checkout), checkout));

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
    else finish(await conclude(uid, end, wallet));
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
