import { type Checkout, formatAmount } from '@atelier/contract/billing';
import type PaystackPop from '@paystack/inline-js';

/**
 * The library's constructor puts a frame of Paystack's host into the page. In the sandbox that frame shows our own page from the very
 * beginning: nothing is asked of a host outside.
 */
export function constructForSandbox(Pop: typeof PaystackPop, { amount, currency }: Checkout): PaystackPop {
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

/** The sandbox's page asks for patience while a person chooses. */
export function onSandboxWord(pop: PaystackPop, hear: (word: unknown) => void): () => void {
  const listen = ({ source, origin, data }: MessageEvent) => {
    if (source === pop.checkoutIframe.contentWindow && origin === location.origin) hear(data?.sandbox);
  };
  addEventListener('message', listen);
  return () => removeEventListener('message', listen);
}
