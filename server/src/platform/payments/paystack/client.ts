import { z } from 'zod';
import { redact } from '../../redact.ts';
import { type CheckoutRequest, type Outcome, PaymentError, type PaymentProvider } from '../payments.ts';
import { toOutcome, transactionData } from './transaction.ts';
import { readWebhook } from './webhook.ts';

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
    async getOutcome(reference: string): Promise<Outcome | null> {
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
