import type { Checkout } from '@atelier/contract/billing';
import { callbacks, discard, form, load, nothingAfter } from './checkout-library.ts';

/** Apple Pay is an offer; after this long a person gets the form. */
const WALLET_TIMEOUT_MS = 10_000;

declare global {
  interface Window {
    ApplePaySession?: { supportsVersion(version: number): boolean };
  }
}

/** Whether this browser offers Apple Pay to this page: the library's own conditions. */
export const offersWallet = () => location.protocol === 'https:' && window.ApplePaySession?.supportsVersion(6) === true;

export interface WalletButton {
  /** Takes the button away. */
  remove: () => void;
}

/**
 * Lets the library mount its Apple Pay button in the element with this id. Null where the account does not offer it; the form is the
 * way then. `failed` is called for each charge that fails, `paid` once one succeeds.
 */
export async function mountWallet(
  checkout: Checkout,
  container: string,
  { paid, failed }: { paid: () => void; failed: () => void },
): Promise<WalletButton | null> {
  await form.closed;
  const pop = await load(checkout).catch(() => null);
  if (pop === null) return null;
  const theme = document.documentElement.dataset.theme === 'dark' ? 'light' : 'dark';
  const mounted = await new Promise<boolean>((done) => {
    const request = {
      accessCode: checkout.accessCode,
      ...callbacks,
      container,
      styles: { theme, applePay: { width: '100%', height: '48px', borderRadius: '10px', type: 'pay', locale: 'en' } },
      onElementsMount: (elements: { applePay: boolean } | null) => done(elements?.applePay === true),
    } as const;
    pop.paymentRequest(request).catch(() => request.onElementsMount(null));
    void nothingAfter(WALLET_TIMEOUT_MS).then(request.onElementsMount);
  });
  // The library's own button has a picture and no words.
  const button = document.querySelector(`#${container} :is(button, apple-pay-button)`);
  button?.setAttribute('aria-label', 'Pay with Apple Pay');
  if (mounted) form.handlers = { onSuccess: paid, onError: failed };
  else discard(pop);
  return mounted
    ? {
        remove: () => {
          form.handlers = {};
          pop.cancelTransaction();
          discard(pop);
        },
      }
    : null;
}
