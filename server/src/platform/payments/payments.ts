import type { PaymentMode, ProviderName, SandboxOutcome } from '@atelier/contract/billing';
import type { Distrust } from '@atelier/contract/errors';
import type { Config } from '../../config.ts';
import type { LocalTrust } from '../http/local-trust.ts';

/** What the provider says became of a checkout. */
export interface PaymentOutcome {
  reference: string;
  /** `pending` also covers whatever may still change. */
  status: 'paid' | 'failed' | 'abandoned' | 'pending' | 'refunded';
  /** What was taken, in minor units. */
  amount: number;
  /** What was asked for: less, where the customer bears the provider's fee. */
  requested: number;
  currency: string;
  /** `test` or `live`. */
  environment: string;
  paidAt: Date | null;
}

export type WebhookEvent =
  | { kind: 'outcome'; outcome: PaymentOutcome }
  /**
   * A refund or dispute: `name` is the provider's name of the event, `id` tells it from its repetition, `amount` is in minor units where it
   * is known. `isRefunded`: the money is back with the buyer.
   */
  | { kind: 'refund'; name: string; reference: string; id: string; amount: number | null; isRefunded: boolean }
  /** Signed, but about something else. */
  | { kind: 'other'; name: string };

export interface CheckoutRequest {
  reference: string;
  email: string;
  /** Minor units. */
  amount: number;
  currency: string;
  metadata: Record<string, unknown>;
}

/** A way to take payments. Each call may throw `PaymentError`; none is made inside a transaction. */
export interface PaymentProvider {
  readonly name: ProviderName;
  readonly mode: PaymentMode;
  /** One line for the operator. */
  readonly label: string;
  /** For the browser; empty where none is needed. */
  readonly publicKey: string;
  /** Addresses outside that its checkout loads, calls and frames in the browser. */
  readonly browser: { scripts: string[]; calls: string[]; frames: string[] };
  /** Registers a reference with the provider; returns the token that opens its checkout in the browser. */
  createCheckout(request: CheckoutRequest): Promise<string>;
  /** What became of a checkout; null where the provider has never heard of the reference. */
  getOutcome(reference: string): Promise<PaymentOutcome | null>;
  /** The event in a webhook; null where the signature does not fit exactly these bytes. Throws where it can't be read. */
  readWebhook(body: Uint8Array, headers: Headers): WebhookEvent | null;
  /** Ends a checkout as a person chose; only where no money moves. */
  readonly chooseOutcome?: (token: string, outcome: SandboxOutcome) => Promise<{ reference: string; status: string }>;
  /** Why it takes no new payments from whoever asks; null where it does. */
  readonly refusal?: () => Distrust | null;
  readonly close?: () => Promise<void>;
}

/** Sends a request to this server itself, once it listens. */
export type CallSelf = (path: string, init: RequestInit) => Promise<{ ok: boolean }>;

/** What a provider is made from. `isAlone`: no provider before it in the list is configured. */
export interface ProviderOptions {
  config: Config;
  trust: Pick<LocalTrust, 'refusal'>;
  callSelf: CallSelf;
  isAlone: boolean;
}

/** The provider could not be reached, or refused. The message carries no secret. */
export class PaymentError extends Error {
  override readonly name = 'PaymentError';
  /** What it answered, if it did. */
  readonly status: number | undefined;

  constructor(message: string, { status, cause }: { status?: number; cause?: unknown } = {}) {
    super(message, { cause });
    this.status = status;
  }
}
