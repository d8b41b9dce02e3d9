import { join } from 'node:path';
import type { SandboxOutcome } from '@atelier/contract/billing';
import { z } from 'zod';
import { PaymentError, type PaymentProvider, type ProviderOptions } from '../payments.ts';
import { connectPaystack } from '../paystack/paystack.ts';
import { createSandboxServer } from './server.ts';

const LABEL =
  'a sandbox in which no money moves: anyone who clicks through it becomes Pro (set PAYSTACK_SECRET_KEY and PAYSTACK_PUBLIC_KEY to take payments)';
const WEBHOOK_TIMEOUT_MS = 5_000;

/**
 * Payments in which no money moves: where the operator asks for them, or where nothing else is configured and who asks is at this machine.
 * Others would get Pro for nothing. It speaks Paystack's API over HTTP, so the real client is rehearsed too.
 */
export function createSandbox({ config, trust, callSelf, isAlone }: ProviderOptions): PaymentProvider | null {
  if (!config.PAYSTACK_SANDBOX && !(isAlone && trust.refusal() !== 'settings')) return null;
  const server = createSandboxServer({
    file: join(config.DATA_DIR, 'sandbox-payments.json'),
    deliver: (body, signature) =>
      callSelf('/api/webhooks/sandbox', {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-paystack-signature': signature },
        body,
        signal: AbortSignal.timeout(WEBHOOK_TIMEOUT_MS),
      }),
  });
  return {
    name: 'sandbox',
    mode: 'sandbox',
    label: LABEL,
    publicKey: 'pk_test_sandbox',
    browser: { scripts: [], calls: [], frames: [] },
    ...connectPaystack({ secretKey: server.secretKey, baseUrl: server.url }),
    chooseOutcome: (token, outcome) => chooseOutcome(server, token, outcome),
    refusal: () => (config.PAYSTACK_SANDBOX ? null : trust.refusal()),
    close: server.close,
  };
}

const chosen = z.object({ data: z.object({ reference: z.string(), status: z.string() }) });

async function chooseOutcome(
  { url, secretKey }: ReturnType<typeof createSandboxServer>,
  token: string,
  outcome: SandboxOutcome,
) {
  const response = await fetch(`${await url()}/checkout/${encodeURIComponent(token)}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${secretKey}` },
    body: JSON.stringify({ outcome }),
  });
  if (!response.ok) throw new PaymentError(`the sandbox answered ${response.status}`);
  return chosen.parse(await response.json()).data;
}
