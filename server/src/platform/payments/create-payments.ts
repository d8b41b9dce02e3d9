import type { PaymentProvider, Payments, ProviderOptions } from './payments.ts';
import { createPaystack } from './paystack/paystack.ts';
import { createSandbox } from './sandbox/sandbox.ts';

/** Every provider; each is null where the configuration does not ask for it. The last one that is configured takes new payments. */
const PROVIDERS: readonly ((options: ProviderOptions) => PaymentProvider | null)[] = [createPaystack, createSandbox];

/** The payment providers that the configuration asks for. */
export function createPayments(options: Omit<ProviderOptions, 'isAlone'>): Payments {
  const providers: PaymentProvider[] = [];
  for (const create of PROVIDERS) {
    const provider = create({ ...options, isAlone: providers.length === 0 });
    if (provider !== null) providers.push(provider);
  }
  const last = providers.at(-1);
  const refusal = () => (last === undefined ? 'settings' : (last.refusal?.() ?? null));
  return {
    get current() {
      return refusal() === null ? (last ?? null) : null;
    },
    get offBecause() {
      return refusal();
    },
    providers,
    close: async () => void (await Promise.all(providers.map((provider) => provider.close?.()))),
  };
}
