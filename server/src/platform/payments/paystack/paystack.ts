import { isLive } from '../../../config.ts';
import type { PaymentProvider, ProviderOptions } from '../payments.ts';
import { connectPaystack } from './client.ts';

const LABELS = {
  test: 'Paystack with test keys: no money moves, and anyone who pays with a test card becomes Pro',
  live: 'Paystack, live: Pro costs 15 USD, charged as ZAR 275.00',
};

/** Paystack, where its keys are set. */
export function createPaystack({ config }: Pick<ProviderOptions, 'config'>): PaymentProvider | null {
  const { PAYSTACK_SECRET_KEY: secretKey, PAYSTACK_PUBLIC_KEY: publicKey = '', PAYSTACK_BASE_URL: baseUrl } = config;
  if (secretKey === undefined) return null;
  const mode = isLive(secretKey) ? 'live' : 'test';
  return {
    name: 'paystack',
    mode,
    label: LABELS[mode],
    publicKey,
    // The form, and for Apple Pay two servers and Apple's one file.
    browser: {
      scripts: ['https://applepay.cdn-apple.com/jsapi/v1.1.0/apple-pay-sdk.js'],
      calls: ['https://api.paystack.co', 'https://standard.paystack.co'],
      frames: ['https://checkout.paystack.com'],
    },
    ...connectPaystack({ secretKey, baseUrl: () => baseUrl }),
  };
}
