import type { Checkout } from '@atelier/contract/billing';
import { formatAmount } from '@atelier/contract/billing';
import type PaystackPop from '@paystack/inline-js';
import type { PaystackCallbacks } from '@paystack/inline-js';

/** The library has no time-out of its own: a form that has not appeared after this long counts as failed. */
export const LOAD_TIMEOUT_MS = 30_000;
/** Apple Pay is an offer; after this long a person gets the form. */
const WALLET_TIMEOUT_MS = 10_000;
/** The library takes 300 ms to close and then tells its frame so; a checkout opened before that would be closed with it. */
const CLOSING_MS = 400;

/** How a checkout ended, as the form says. Only the server's word about the payment counts. */
export type CheckoutEnd = 'success' | 'closed' | 'pending' | 'unavailable';

let instance: Promise<PaystackPop> | null = null;
let handlers: PaystackCallbacks = {};
let closed = Promise.resolve();
let abandon = () => {};

/** The library hands back an earlier transaction, with its old callbacks, for the same parameters: so these are always the same ones. */
const callbacks: Required<PaystackCallbacks> = {
  onLoad: (loaded) => handlers.onLoad?.(loaded),
  onSuccess: (paid) => handlers.onSuccess?.(paid),
  onCancel: () => handlers.onCancel?.(),
  onError: (error) => handlers.onError?.(error),
  onBankTransferConfirmationPending: () => handlers.onBankTransferConfirmationPending?.(),
};

/** Loads the library with the first click and keeps one instance, for each leaves two frames in the page. */
function load(checkout: Checkout): Promise<PaystackPop> {
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

/**
 * The library's constructor puts a frame of Paystack's host into the page. In the sandbox that frame shows our own page from the very
 * beginning: nothing is asked of a host outside.
 */
function constructForSandbox(Pop: typeof PaystackPop, { amount, currency }: Checkout): PaystackPop {
  const { body } = document;
  const append = body.appendChild;
  body.appendChild = <T extends Node>(node: T): T => {
    if (node instanceof HTMLIFrameElement && node.src !== '') {
      node.src = `/sandbox/checkout.html?${new URLSearchParams({ amount: formatAmount(amount, currency) })}`;
    }
    return append.call(body, node) as T;
  };
  try {
    return new Pop();
  } finally {
    Reflect.deleteProperty(body, 'appendChild');
  }
}

const nothingAfter = (ms: number) => new Promise<null>((done) => setTimeout(() => done(null), ms));
const rested = () => new Promise<void>((done) => setTimeout(done, CLOSING_MS));

/** Lets go of an instance whose frame may be broken; the next click makes a new one. */
function discard(pop: PaystackPop) {
  instance = null;
  closed = rested().then(() => {
    pop.checkoutIframe.remove();
    pop.backgroundIframe.remove();
  });
}

/** The sandbox's page asks for patience while a person chooses. */
function onSandboxWord(pop: PaystackPop, hear: (word: unknown) => void): () => void {
  const listen = ({ source, origin, data }: MessageEvent) => {
    if (source === pop.checkoutIframe.contentWindow && origin === location.origin) hear(data?.sandbox);
  };
  addEventListener('message', listen);
  return () => removeEventListener('message', listen);
}

/** Opens the provider's form over the page and resolves once it is gone again. */
export async function payInPopup(checkout: Checkout): Promise<CheckoutEnd> {
  await closed;
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
      handlers = {};
      abandon = () => {};
      closed = rested();
      done(how);
    };
    /** Ours to close: after a setup error, or when no form came, the library leaves its cover over the page. */
    const stop = (how: CheckoutEnd) => {
      end(how);
      pop.cancelTransaction();
      if (how === 'unavailable') discard(pop);
    };
    abandon = () => stop('closed');
    handlers = {
      onLoad: rest,
      onSuccess: () => end('success'),
      onError: () => stop('unavailable'),
      // A pending transfer is told as a cancellation first.
      onCancel: () => queueMicrotask(() => handlers.onCancel && end('closed')),
      onBankTransferConfirmationPending: () => end('pending'),
    };
    watch();
    pop.newTransaction({ accessCode: checkout.accessCode, ...callbacks });
  });
}

/** Closes the form when the page that opened it is left. */
export const abandonPopup = () => abandon();

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
  await closed;
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
  if (mounted) handlers = { onSuccess: paid, onError: failed };
  else discard(pop);
  return mounted
    ? {
        remove: () => {
          handlers = {};
          pop.cancelTransaction();
          discard(pop);
        },
      }
    : null;
}
