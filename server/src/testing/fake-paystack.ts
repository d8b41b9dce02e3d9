import { createHmac } from 'node:crypto';
import { createServer } from 'node:http';
import { getRequestListener, type HttpBindings } from '@hono/node-server';
import { Hono } from 'hono';
import { listen } from './listen.ts';

export const TEST_KEYS = { secret: 'sk_test_f4ke0123456789abcdef', open: 'pk_test_f4ke0123456789abcdef' } as const;
export const LIVE_KEYS = { secret: 'sk_live_f4ke0123456789abcdef', open: 'pk_live_f4ke0123456789abcdef' } as const;

/** A transaction as a test wants the provider to tell of it. */
export interface FakeTransaction {
  reference: string;
  access_code: string;
  status: string;
  amount: number | string;
  requested_amount?: number | string | null;
  currency: string;
  domain: string;
  paid_at: string | null;
  metadata: unknown;
  email: string;
}

type Trouble = 'none' | 'error' | 'cut' | 'hold';

/** A real HTTP server on loopback that speaks the two calls of Paystack's API, well or badly, and signs notices. */
export async function startFakePaystack(keys: { secret: string } = TEST_KEYS) {
  const transactions = new Map<string, FakeTransaction>();
  const calls: string[] = [];
  let trouble: Trouble = 'none';
  let held: (() => void)[] = [];

  const paystack = new Hono<{ Bindings: HttpBindings }>()
    .use(async (c, next) => {
      calls.push(`${c.req.method} ${c.req.path.split('/')[2] ?? ''}`);
      const { authorization = '' } = c.req.header();
      if (trouble === 'cut') c.env.outgoing.destroy();
      if (trouble === 'error') return c.json({ status: false, message: 'Our servers are tired' }, 503);
      if (authorization === `Bearer ${keys.secret}`) return next();
      return c.json({ status: false, message: `Invalid key ${authorization}` }, 401);
    })
    .post('/transaction/initialize', async (c) => {
      const body: FakeTransaction = await c.req.json();
      const { reference } = body;
      if (transactions.has(reference))
        return c.json({ status: false, message: 'Duplicate Transaction Reference' }, 400);
      const access_code = `code-${reference}`;
      const domain = keys.secret.startsWith('sk_live_') ? 'live' : 'test';
      transactions.set(reference, { ...body, access_code, status: 'abandoned', domain, paid_at: null });
      const authorization_url = `https://checkout.paystack.com/${access_code}`;
      return c.json({ status: true, message: 'ok', data: { authorization_url, access_code, reference } });
    })
    .get('/transaction/verify/:reference', async (c) => {
      if (trouble === 'hold') await new Promise<void>((done) => held.push(done));
      const data = transactions.get(c.req.param('reference'));
      if (data === undefined) return c.json({ status: false, message: 'Transaction reference not found.' }, 404);
      return c.json({ status: true, message: 'Verification successful', data });
    });
  const { origin: url, close } = await listen(createServer(getRequestListener(paystack.fetch)));

  return {
    url,
    /** The environment of a server that uses this provider. */
    env: { PAYSTACK_BASE_URL: url },
    calls,
    transactions,
    /** Changes what the provider says of a reference; makes it known where it was not. */
    tell(reference: string, change: Partial<FakeTransaction>) {
      const before = transactions.get(reference) ?? {
        reference,
        access_code: `code-${reference}`,
        amount: 27_500,
        currency: 'ZAR',
        domain: 'test',
        status: 'abandoned',
        paid_at: null,
        metadata: {},
        email: '',
      };
      transactions.set(reference, { ...before, ...change });
    },
    /** The customer pays. */
    pay(reference: string, change: Partial<FakeTransaction> = {}) {
      this.tell(reference, { status: 'success', paid_at: '2026-01-02T03:04:05.678Z', ...change });
    },
    behave(next: Trouble) {
      trouble = next;
      if (next !== 'hold') for (const go of held.splice(0)) go();
    },
    /** The notice of a reference, or of any event, as bytes and their signature. */
    notice(event: string, data: unknown, secret = keys.secret) {
      const body = JSON.stringify({ event, data });
      return { body, signature: createHmac('sha512', secret).update(body).digest('hex') };
    },
    reset() {
      trouble = 'none';
      held = [];
      transactions.clear();
      calls.length = 0;
    },
    close,
  };
}

export type FakePaystack = Awaited<ReturnType<typeof startFakePaystack>>;
