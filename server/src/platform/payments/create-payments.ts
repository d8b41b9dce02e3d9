import type { Config } from '../../config.ts';
import type { CallSelf, PaymentProvider, Payments, ProviderOptions } from './payments.ts';
import { createPaystack } from './paystack/paystack.ts';
import { createSandbox } from './sandbox/sandbox.ts';

/** Every provider; each is null where the configuration does not ask for it. The last one that is configured takes new payments. */
const PROVIDERS: readonly ((options: ProviderOptions) => PaymentProvider | null)[] = [createPaystack, createSandbox];

/** The payment providers that the configuration asks for. */
export function createPayments(config: Config, callSelf: CallSelf): Payments {
  const providers: PaymentProvider[] = [];
  for (const create of PROVIDERS) {
    const provider = create({ config, callSelf, isAlone: providers.length === 0 });
    if (provider !== null) providers.push(provider);
  }
  return {
    current: providers.at(-1) ?? null,
    providers,
    close: async () => void (await Promise.all(providers.map((provider) => provider.close?.()))),
  };
}
