import type { Distrust } from '@atelier/contract/errors';
import type { PaymentProvider, ProviderOptions } from './payments.ts';
import { createPaystack } from './paystack/paystack.ts';
import { createSandbox } from './sandbox/sandbox.ts';

/** Every provider; each is null where the configuration does not ask for it. The last one that is configured takes new payments. */
const PROVIDERS: readonly ((options: ProviderOptions) => PaymentProvider | null)[] = [createPaystack, createSandbox];

export type Payments = ReturnType<typeof createPayments>;

/** The payment providers that the configuration asks for. */
export function createPayments(options: Omit<ProviderOptions, 'isAlone'>) {
  const providers: PaymentProvider[] = [];
  for (const create of PROVIDERS) {
    const provider = create({ ...options, isAlone: providers.length === 0 });
    if (provider !== null) providers.push(provider);
  }
  const last = providers.at(-1);
  const refusal = (): Distrust | null => (last === undefined ? 'settings' : (last.refusal?.() ?? null));
  return {
    /** Takes new payments; null where nothing can be bought, or not by who asks. */
    get current(): PaymentProvider | null {
      return refusal() === null ? (last ?? null) : null;
    },
    /** Why `current` is null. */
    get offBecause() {
      return refusal();
    },
    /** All that are configured: each is asked about its own payments. */
    providers: providers as readonly PaymentProvider[],
    close: async (): Promise<void> => void (await Promise.all(providers.map((provider) => provider.close?.()))),
  };
}
