import { z } from 'zod';
import { redact } from '../models/redact.ts';
import { type Initialize, PaymentError, type ProviderTransaction } from './payments.ts';

/** A provider that has not answered after this long is taken for unreachable. */
const PATIENCE_MS = 15_000;

const answerOf = <T extends z.ZodType>(data: T) => z.object({ status: z.literal(true), data });
const refusal = z.object({ message: z.string().optional(), code: z.string().optional() });
const initialized = answerOf(z.object({ access_code: z.string().min(1), reference: z.string() }));

/** A transaction as the provider writes it, in an answer as in a notice. */
export const transactionData = z.object({
  reference: z.string(),
  status: z.string(),
  amount: z.number(),
  currency: z.string(),
  domain: z.string(),
  paid_at: z.string().nullish(),
});

/** The provider's words in our shape; a time that is none counts as not said. */
export function toTransaction(data: z.infer<typeof transactionData>): ProviderTransaction {
  const { reference, status, amount, currency, domain } = data;
  const paidAt = new Date(data.paid_at ?? Number.NaN);
  return { reference, status, amount, currency, domain, paidAt: Number.isNaN(paidAt.getTime()) ? null : paidAt };
}

interface Options {
  secretKey: string;
  /** Asked for at each call, for the sandbox listens only when it is needed. */
  baseUrl: () => Promise<string> | string;
}

/** The two calls of Paystack's API that we need. Errors never carry the key. */
export function createPaystackClient({ secretKey, baseUrl }: Options) {
  async function call(
    method: 'GET' | 'POST',
    path: string,
    body?: unknown,
  ): Promise<{ status: number; json: unknown }> {
    try {
      const response = await fetch(new URL(path, `${(await baseUrl()).replace(/\/$/u, '')}/`), {
        method,
        headers: {
          authorization: `Bearer ${secretKey}`,
          accept: 'application/json',
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        redirect: 'error',
        signal: AbortSignal.timeout(PATIENCE_MS),
      });
      return { status: response.status, json: await response.json() };
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      throw new PaymentError('unreachable', `the payment provider did not answer: ${redact(why, [secretKey])}`);
    }
  }

  function refused(status: number, json: unknown): PaymentError {
    const { message = '', code = '' } = refusal.safeParse(json).data ?? {};
    const text = `the payment provider answered ${status}: ${redact(message, [secretKey])}`;
    if (status >= 500 || status === 429) return new PaymentError('unreachable', text);
    const duplicate = status === 400 && (/duplicate/iu.test(message) || code === 'duplicate_reference');
    return new PaymentError(duplicate ? 'duplicate' : 'refused', text);
  }

  return {
    async initialize({ reference, email, amount, currency, metadata }: Initialize): Promise<{ accessCode: string }> {
      const body = { reference, email, amount, currency, metadata };
      const { status, json } = await call('POST', 'transaction/initialize', body);
      const parsed = initialized.safeParse(json);
      if (!parsed.success || parsed.data.data.reference !== reference) throw refused(status, json);
      return { accessCode: parsed.data.data.access_code };
    },
    async verify(reference: string): Promise<ProviderTransaction | null> {
      const { status, json } = await call('GET', `transaction/verify/${encodeURIComponent(reference)}`);
      const parsed = answerOf(transactionData).safeParse(json);
      if (parsed.success && parsed.data.data.reference === reference) return toTransaction(parsed.data.data);
      // Only a clear word counts as "never heard of it": 404, or 400 that says so.
      const { message = '' } = refusal.safeParse(json).data ?? {};
      if (status === 404 || (status === 400 && /not found/iu.test(message))) return null;
      throw refused(status, json);
    },
  };
}
