import type { Checkout } from '@atelier/contract/billing';
import type PaystackPop from '@paystack/inline-js';
import type { PaystackCallbacks } from '@paystack/inline-js';
import { constructForSandbox } from './sandbox-frame.ts';

/** The library takes 300 ms to close and then tells its frame so; a checkout opened before that would be closed with it. */
const CLOSING_MS = 400;

let instance: Promise<PaystackPop> | null = null;

/** What one checkout leaves to the next: who hears of it, and when the one before is gone. */
export const form: { handlers: PaystackCallbacks; closed: Promise<void> } = { handlers: {}, closed: Promise.resolve() };

/** The library hands back an earlier transaction, with its old callbacks, for the same parameters: so these are always the same ones. */
export const callbacks: Required<PaystackCallbacks> = {
  onLoad: (loaded) => form.handlers.onLoad?.(loaded),
  onSuccess: (paid) => form.handlers.onSuccess?.(paid),
  onCancel: () => form.handlers.onCancel?.(),
  onError: (error) => form.handlers.onError?.(error),
  onBankTransferConfirmationPending: () => form.handlers.onBankTransferConfirmationPending?.(),
};

/** Loads the library with the first click and keeps one instance, for each leaves two frames in the page. */
export function load(checkout: Checkout): Promise<PaystackPop> {
  instance ??= import('@paystack/inline-js').then(({ default: Pop }) => {
    const pop = checkout.provider === 'sandbox' ? constructForSandbox(Pop, checkout) : new Pop();
    pop.checkoutIframe.title = 'Checkout';
    pop.backgroundIframe.title = 'Loading the checkout';
    return pop;
  });
  instance.catch(() => {
    instance = null;
  });
  return instance;
}

/** Null, after so many milliseconds. */
export const nothingAfter = (ms: number) => new Promise<null>((done) => setTimeout(() => done(null), ms));
/** Once the library has closed its form. */
export const rested = () => new Promise<void>((done) => setTimeout(done, CLOSING_MS));

/** Lets go of an instance whose frame may be broken; the next click makes a new one. */
export function discard(pop: PaystackPop) {
  instance = null;
  form.closed = rested().then(() => {
    pop.checkoutIframe.remove();
    pop.backgroundIframe.remove();
  });
}
