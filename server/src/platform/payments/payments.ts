import type { PaymentMode, SandboxOutcome } from '@atelier/contract/billing';

/** What the provider says of a transaction, in its own words. */
export interface ProviderTransaction {
  reference: string;
  /** `success`, `failed`, `abandoned`, `pending`, `ongoing`, `reversed` … */
  status: string;
  /** Minor units. */
  amount: number;
  currency: string;
  /** `test` or `live`. */
  domain: string;
  paidAt: Date | null;
}

export type WebhookEvent =
  | { kind: 'charge'; transaction: ProviderTransaction }
  /** A refund or dispute: `name` is the event's, `id` tells one from its repetition, `amount` is in minor units where it is told. */
  | { kind: 'aftermath'; name: string; reference: string; id: string; amount: number | null }
  /** Signed, but about something that is not ours to know. */
  | { kind: 'other'; name: string };

export interface Initialize {
  reference: string;
  email: string;
  /** Minor units. */
  amount: number;
  currency: string;
  metadata: Record<string, unknown>;
}

/** A payment provider. Each call may throw `PaymentError`; none is made inside a transaction. */
export interface Payments {
  /** `off`: nothing can be bought here. */
  readonly mode: PaymentMode | 'off';
  /** For the browser; empty where none is needed. */
  readonly publicKey: string;
  /** Registers a reference with the provider; gives the code that opens its checkout. */
  initialize(input: Initialize): Promise<{ accessCode: string }>;
  /** What the provider knows of the reference; null where it has never heard of it. */
  verify(reference: string): Promise<ProviderTransaction | null>;
  /** The event in a notice; null where the signature is not the provider's for exactly these bytes. Throws where it can't be read. */
  readWebhook(body: Uint8Array, signature: string | undefined): WebhookEvent | null;
  /** What its checkout page tells the sandbox; null where payments are real, or off. */
  readonly decide:
    | ((accessCode: string, outcome: SandboxOutcome) => Promise<{ reference: string; status: string }>)
    | null;
}

/** The provider could not be reached, or refused. The message carries no secret. `duplicate`: the reference has been used. */
export class PaymentError extends Error {
  readonly kind: 'unreachable' | 'refused' | 'duplicate' | 'off';

  constructor(kind: PaymentError['kind'], message: string, options: { cause?: unknown } = {}) {
    super(message, options);
    this.name = 'PaymentError';
    this.kind = kind;
  }
}
