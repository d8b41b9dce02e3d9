import type { PaymentMode } from '@atelier/contract/billing';
import { type Config, isLive, LOOPBACK } from '../../config.ts';

/** Whether only this machine reaches the server: it listens on loopback, and nothing says that a proxy stands before it. */
export function isLocalOnly(config: Pick<Config, 'HOST' | 'PUBLIC_URL' | 'TRUSTED_PROXIES'>): boolean {
  const named = config.PUBLIC_URL === undefined || LOOPBACK.has(new URL(config.PUBLIC_URL).hostname);
  return LOOPBACK.has(config.HOST) && named && config.TRUSTED_PROXIES.length === 0;
}

/** How this installation takes payments. A server that others can reach never falls back to the sandbox: it would give Pro away. */
export function paymentMode(config: Config): PaymentMode | 'off' {
  if (config.PAYSTACK_SANDBOX) return 'sandbox';
  if (config.PAYSTACK_SECRET_KEY !== undefined) return isLive(config.PAYSTACK_SECRET_KEY) ? 'live' : 'test';
  return isLocalOnly(config) ? 'sandbox' : 'off';
}
