import { createHmac, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import { isLive } from '../../../config.ts';
import { redact } from '../../redact.ts';
import {
  type CheckoutRequest,
  PaymentError,
  type PaymentOutcome,
  type PaymentProvider,
  type ProviderOptions,
  type WebhookEvent,
} from '../payments.ts';

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

/** Paystack documents numbers in minor units, and some of its answers have them as texts. */
const amount = z.union([
  z.number(),
  z
    .string()
    .regex(/^\d{1,15}$/u)
    .transform(Number),
]);

/**
 * A transaction as Paystack writes it, in an answer as in a webhook. Where the customer bears the fee, `amount` is what was taken, and
 * `requested_amount` what was asked for.
 */
const transactionData = z.object({
  reference: z.string(),
  status: z.string(),
  amount,
  requested_amount: amount.nullish().catch(null),
  currency: z.string(),
  domain: z.string(),
  paid_at: z.string().nullish(),
});

const STATUSES = new Map<string, PaymentOutcome['status']>([
  ['success', 'paid'],
  ['abandoned', 'abandoned'],
  ['failed', 'failed'],
  ['reversed', 'refunded'],
]);

/** Paystack's transaction as an outcome. An unknown status is pending, an invalid time is treated as missing. */
export function toOutcome(data: z.infer<typeof transactionData>): PaymentOutcome {
  const { reference, amount: paid, requested_amount: requested, currency, domain } = data;
  const paidAt = new Date(data.paid_at ?? Number.NaN);
  return {
    reference,
    status: STATUSES.get(data.status) ?? 'pending',
    amount: paid,
    requested: requested ?? paid,
    currency,
    environment: domain,
    paidAt: Number.isNaN(paidAt.getTime()) ? null : paidAt,
  };
}

const envelope = z.object({ event: z.string().max(100), data: z.unknown() });
const id = z.union([z.string(), z.number()]).transform(String);
/** Refunds name their transaction flat, disputes nested. */
const refundOrDispute = z
  .object({
    id: id.nullish(),
    refund_reference: z.string().nullish(),
    amount: z.coerce.number().nullish(),
    transaction_reference: z.string().optional(),
    transaction: z.object({ reference: z.string() }).optional(),
  })
  .transform(({ transaction, transaction_reference: flat, ...rest }) => ({
    ...rest,
    reference: flat ?? transaction?.reference,
  }));

/** Whether the header is the hex HMAC-SHA512 of exactly these bytes under the key. */
function isSigned(body: Uint8Array, signature: string, secretKey: string): boolean {
  const expected = createHmac('sha512', secretKey).update(body).digest();
  const actual = Buffer.from(/^[0-9a-f]{128}$/iu.test(signature) ? signature : '', 'hex');
  return actual.length === expected.length && timingSafeEqual(actual, expected);
}

/** The event in a webhook; null where it is not signed. Throws where it is not what Paystack documents. */
function readWebhook(body: Uint8Array, headers: Headers, secretKey: string): WebhookEvent | null {
  if (!isSigned(body, headers.get('x-paystack-signature') ?? '', secretKey)) return null;
  const { event: name, data } = envelope.parse(JSON.parse(new TextDecoder().decode(body)));
  if (name === 'charge.success') return { kind: 'outcome', outcome: toOutcome(transactionData.parse(data)) };
  if (!/^(?:refund|charge\.dispute)\./u.test(name)) return { kind: 'other', name };
  const { reference, id: own, refund_reference: refund, amount = null } = refundOrDispute.parse(data);
  if (reference === undefined) throw new Error(`${name} names no transaction`);
  const id = own ?? refund ?? String(amount ?? '');
  return { kind: 'refund', name, reference, id, amount, isRefunded: name === 'refund.processed' };
}

/** Without an answer after this long, Paystack counts as unreachable. */
const PATIENCE_MS = 15_000;

const answerOf = <T extends z.ZodType>(data: T) => z.object({ status: z.literal(true), data });
const refusal = z.object({ message: z.string().optional() });
const initialized = answerOf(z.object({ access_code: z.string().min(1), reference: z.string() }));

interface Options {
  secretKey: string;
  /** A function, as the sandbox listens only once it is needed. */
  baseUrl: () => Promise<string> | string;
}

/** What we need of Paystack's API: two calls and its webhooks. Errors never carry the key. */
export function connectPaystack({
  secretKey,
  baseUrl,
}: Options): Pick<PaymentProvider, 'createCheckout' | 'getOutcome' | 'readWebhook'> {
  async function call(path: string, body?: unknown): Promise<{ status: number; json: unknown }> {
    try {
      const response = await fetch(new URL(path, `${(await baseUrl()).replace(/\/$/u, '')}/`), {
        method: body === undefined ? 'GET' : 'POST',
        headers: {
          authorization: `Bearer ${secretKey}`,
          accept: 'application/json',
          'content-type': 'application/json',
        },
        body: body === undefined ? null : JSON.stringify(body),
        redirect: 'error',
        signal: AbortSignal.timeout(PATIENCE_MS),
      });
      return { status: response.status, json: await response.json() };
    } catch (error) {
      // fetch itself says only that it failed.
      const reason = error instanceof Error && error.cause instanceof Error ? error.cause : error;
      const why = reason instanceof Error ? reason.message : String(reason);
      throw new PaymentError(`the payment provider did not answer: ${redact(why, [secretKey])}`, { cause: error });
    }
  }

  function refused(status: number, json: unknown): PaymentError {
    const { message = '' } = refusal.safeParse(json).data ?? {};
    return new PaymentError(`the payment provider answered ${status}: ${redact(message, [secretKey])}`, { status });
  }

  return {
    async createCheckout({ reference, email, amount, currency, metadata }: CheckoutRequest): Promise<string> {
      const { status, json } = await call('transaction/initialize', { reference, email, amount, currency, metadata });
      const parsed = initialized.safeParse(json);
      if (!parsed.success || parsed.data.data.reference !== reference) throw refused(status, json);
      return parsed.data.data.access_code;
    },
    async getOutcome(reference: string): Promise<PaymentOutcome | null> {
      const { status, json } = await call(`transaction/verify/${encodeURIComponent(reference)}`);
      const parsed = answerOf(transactionData).safeParse(json);
      if (parsed.success && parsed.data.data.reference === reference) return toOutcome(parsed.data.data);
      // The reference is unknown only where Paystack says so: 404, or 400 with these words.
      const { message = '' } = refusal.safeParse(json).data ?? {};
      if (status === 404 || (status === 400 && /not found/iu.test(message))) return null;
      throw refused(status, json);
    },
    readWebhook: (body, headers) => readWebhook(body, headers, secretKey),
  };
}
