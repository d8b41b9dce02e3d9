import type { Checkout } from '@atelier/contract/billing';
import { callbacks, discard, form, load, nothingAfter, rested } from './checkout-library.ts';
import { onSandboxWord } from './sandbox-frame.ts';

/** The library has no time-out of its own: a form that has not appeared after this long counts as failed. */
export const LOAD_TIMEOUT_MS = 30_000;

/** How a checkout ended, as the form says. Only the server's word about the payment counts. */
export type CheckoutEnd = 'success' | 'closed' | 'pending' | 'unavailable';

let abandon = () => {};

/** Opens the provider's form over the page and resolves once it is gone again. */
export async function payInPopup(checkout: Checkout): Promise<CheckoutEnd> {
  await form.closed;
  const pop = await Promise.race([load(checkout).catch(() => null), nothingAfter(LOAD_TIMEOUT_MS)]);
  if (pop === null) return 'unavailable';
  return new Promise((done) => {
    let timer: ReturnType<typeof setTimeout>;
    const rest = () => clearTimeout(timer);
    const watch = () => {
      rest();
      timer = setTimeout(() => stop('unavailable'), LOAD_TIMEOUT_MS);
    };
    const deafen = onSandboxWord(pop, (word) => (word === 'choosing' ? rest() : word === 'silent' && watch()));
    const end = (how: CheckoutEnd) => {
      rest();
      deafen();
      form.handlers = {};
      abandon = () => {};
      form.closed = rested();
      done(how);
    };
    /** Ours to close: after a setup error, or when no form came, the library leaves its cover over the page. */
    const stop = (how: CheckoutEnd) => {
      end(how);
      pop.cancelTransaction();
      if (how === 'unavailable') discard(pop);
    };
    abandon = () => stop('closed');
    form.handlers = {
      onLoad: rest,
      onSuccess: () => end('success'),
      onError: () => stop('unavailable'),
      // A pending transfer is told as a cancellation first.
      onCancel: () => queueMicrotask(() => form.handlers.onCancel && end('closed')),
      onBankTransferConfirmationPending: () => end('pending'),
    };
    watch();
    pop.newTransaction({ accessCode: checkout.accessCode, ...callbacks });
  });
}

/** Closes the form when the page that opened it is left. */
export const abandonPopup = () => abandon();
