import { createHmac } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
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

  async function serve(request: IncomingMessage, response: ServerResponse) {
    const body = await text(request);
    const path = (request.url ?? '').split('/');
    calls.push(`${request.method} ${path[2] ?? ''}`);
    if (trouble === 'cut') return response.destroy();
    if (trouble === 'error') return send(response, 503, { status: false, message: 'Our servers are tired' });
    if (request.headers.authorization !== `Bearer ${keys.secret}`) {
      return send(response, 401, { status: false, message: `Invalid key ${request.headers.authorization ?? ''}` });
    }
    if (path[2] === 'initialize') return initialize(response, JSON.parse(body));
    if (trouble === 'hold') await new Promise<void>((done) => held.push(done));
    const found = transactions.get(decodeURIComponent(path[3] ?? ''));
    if (found === undefined) return send(response, 404, { status: false, message: 'Transaction reference not found.' });
    return send(response, 200, { status: true, message: 'Verification successful', data: found });
  }

  function initialize(response: ServerResponse, body: FakeTransaction) {
    if (transactions.has(body.reference)) {
      return send(response, 400, { status: false, message: 'Duplicate Transaction Reference' });
    }
    const access_code = `code-${body.reference}`;
    const domain = keys.secret.startsWith('sk_live_') ? 'live' : 'test';
    transactions.set(body.reference, { ...body, access_code, status: 'abandoned', domain, paid_at: null });
    const data = { authorization_url: `https://checkout.paystack.com/${access_code}`, access_code };
    return send(response, 200, { status: true, message: 'ok', data: { ...data, reference: body.reference } });
  }

  const server = createServer((request, response) => void serve(request, response).catch(() => response.destroy()));
  const { origin: url, close } = await listen(server);

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

function send(response: ServerResponse, status: number, body: unknown) {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
