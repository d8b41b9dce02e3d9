import type { SandboxOutcome } from '@atelier/contract/billing';
import { SENTENCES } from '@atelier/contract/errors';
import { z } from 'zod';
import type { Config } from '../../config.ts';
import { paymentMode } from './payment-mode.ts';
import { PaymentError, type Payments } from './payments.ts';
import { createPaystackClient } from './paystack-client.ts';
import { isSigned, readEvent } from './paystack-webhook.ts';
import type { Sandbox } from './sandbox-server.ts';

/** The payment provider that the configuration asks for. The sandbox is spoken to like any other, over HTTP. */
export function createPayments(config: Config, sandbox: Pick<Sandbox, 'secretKey' | 'url'>): Payments {
  const mode = paymentMode(config);
  if (mode === 'off') return nothing;
  const secretKey = mode === 'sandbox' ? sandbox.secretKey : (config.PAYSTACK_SECRET_KEY ?? '');
  const baseUrl = mode === 'sandbox' ? () => sandbox.url() : () => config.PAYSTACK_BASE_URL;
  return {
    mode,
    publicKey: mode === 'sandbox' ? 'pk_test_sandbox' : (config.PAYSTACK_PUBLIC_KEY ?? ''),
    ...createPaystackClient({ secretKey, baseUrl }),
    readWebhook: (body, signature) => (isSigned(body, signature, secretKey) ? readEvent(body) : null),
    decide: mode === 'sandbox' ? (accessCode, outcome) => decide(sandbox, accessCode, outcome) : null,
  };
}

const decided = z.object({ data: z.object({ reference: z.string(), status: z.string() }) });

async function decide(sandbox: Pick<Sandbox, 'secretKey' | 'url'>, accessCode: string, outcome: SandboxOutcome) {
  const response = await fetch(`${await sandbox.url()}/checkout/${encodeURIComponent(accessCode)}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${sandbox.secretKey}` },
    body: JSON.stringify({ outcome }),
  });
  if (!response.ok) throw new PaymentError('refused', `the sandbox answered ${response.status}`);
  return decided.parse(await response.json()).data;
}

const off = () => Promise.reject(new PaymentError('off', SENTENCES.paymentOff));
const nothing: Payments = {
  mode: 'off',
  publicKey: '',
  initialize: off,
  verify: off,
  readWebhook: () => null,
  decide: null,
};
