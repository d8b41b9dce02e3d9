import { createHmac, randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { z } from 'zod';
import { parsedJson } from '../../parsed-json.ts';
import { createSandboxTransactions, type SandboxStatus, type SandboxTransaction } from './transactions.ts';

// A stand-in for Paystack's server on a loopback port of its own, spoken to over HTTP as the real one is. No money moves.

interface Options {
  /** Where its transactions are kept. */
  file: string;
  /** Takes a signed webhook to the seller. May fail: then it is tried again. */
  deliver: (body: string, signature: string) => Promise<{ ok: boolean }>;
  /** How long a bank transfer takes to arrive, in milliseconds. */
  transferMs?: number;
}

/** Fields of a transaction that Paystack documents; anything else is refused. */
const initializeBody = z.strictObject({
  email: z.email(),
  amount: z.union([z.number().int(), z.string().regex(/^\d+$/u).transform(Number)]).pipe(z.number().min(1)),
  currency: z.enum(['NGN', 'ZAR', 'GHS', 'KES', 'USD']).default('NGN'),
  reference: z
    .string()
    .regex(/^[A-Za-z0-9.=-]{1,100}$/u)
    .optional(),
  metadata: z.union([z.string(), z.record(z.string(), z.unknown())]).optional(),
  callback_url: z.string().optional(),
  channels: z.array(z.string()).optional(),
});
const outcomeBody = z.strictObject({
  outcome: z.enum(['success', 'decline', 'cancel', 'pending', 'setup_error', 'silence']),
});
const BECOMES: Partial<Record<z.infer<typeof outcomeBody>['outcome'], SandboxStatus>> = {
  success: 'success',
  decline: 'failed',
  cancel: 'abandoned',
  pending: 'pending',
};
const DELIVERIES = 3;
const TRANSFER_MS = 20_000;
/** A timer may end a millisecond before the clock says so, and what is early would not arrive. */
const EARLY_MS = 2;
const MAX_BODY = 64 * 1024;

interface Reply {
  status: number;
  body: { status: boolean; message: string; data?: unknown };
}
const refuse = (status: number, message: string): Reply => ({ status, body: { status: false, message } });
const accept = (message: string, data: unknown): Reply => ({ status: 200, body: { status: true, message, data } });

/** Plays Paystack's API and its webhooks. The secret key is new at each start; it listens once its address is asked for. */
export function createSandboxServer({ file, deliver, transferMs = TRANSFER_MS }: Options) {
  const secretKey = `sk_test_sandbox${randomBytes(24).toString('hex')}`;
  let transactions: ReturnType<typeof createSandboxTransactions> | undefined;
  const store = () => (transactions ??= createSandboxTransactions(file));

  const notify = (transaction: SandboxTransaction) => deliverWebhook(deliver, secretKey, transaction);

  function initialize(json: unknown): Reply {
    const parsed = initializeBody.safeParse(json);
    if (!parsed.success) return refuse(400, parsed.error.issues[0]?.message ?? 'Invalid body');
    const { amount, currency, reference = `sandbox-${randomBytes(8).toString('hex')}` } = parsed.data;
    if (store().byReference(reference) !== undefined) return refuse(400, 'Duplicate Transaction Reference');
    const { accessCode } = store().add({ reference, amount, currency });
    return accept('Authorization URL created', { access_code: accessCode, reference });
  }

  function verify(reference: string): Reply {
    const transaction = store().byReference(reference);
    if (transaction === undefined) return refuse(404, 'Transaction reference not found.');
    store().receive(transaction);
    return accept('Verification successful', describe(transaction));
  }

  function arrive(transaction: SandboxTransaction): void {
    try {
      if (store().receive(transaction)) void notify(transaction);
    } catch {
      // It could not be written down, on a full disk for example: the next question about the transaction lets it arrive.
    }
  }

  async function decide(accessCode: string, json: unknown): Promise<Reply> {
    const transaction = store().byAccessCode(accessCode);
    if (transaction === undefined) return refuse(404, 'Access code not found.');
    const parsed = outcomeBody.safeParse(json);
    if (!parsed.success) return refuse(400, parsed.error.issues[0]?.message ?? 'Invalid body');
    const next = BECOMES[parsed.data.outcome];
    if (next !== undefined) store().become(transaction, next, next === 'pending' ? Date.now() + transferMs : null);
    if (next === 'pending') setTimeout(arrive, transferMs + EARLY_MS, transaction).unref();
    if (next === 'success') await notify(transaction);
    return accept('Outcome taken', { reference: transaction.reference, status: transaction.status });
  }

  async function route(request: IncomingMessage): Promise<Reply> {
    if (request.headers.authorization !== `Bearer ${secretKey}`) return refuse(401, 'Invalid key');
    const [, ...path] = new URL(request.url ?? '/', 'http://sandbox').pathname.split('/').map(decodeURIComponent);
    const at = `${request.method} ${path.slice(0, 2).join('/')}`;
    if (at === 'POST transaction/initialize') return initialize(await readJson(request));
    if (at === 'GET transaction/verify') return verify(path[2] ?? '');
    if (request.method === 'POST' && path[0] === 'checkout') return decide(path[1] ?? '', await readJson(request));
    return refuse(404, 'There is nothing at this address.');
  }

  return { secretKey, ...listenLazily((request, response) => void answer(route(request), response)) };
}

/** Delivers the signed webhook of a paid transaction, a few times where it is not taken. */
async function deliverWebhook(deliver: Options['deliver'], secretKey: string, transaction: SandboxTransaction) {
  const body = JSON.stringify({ event: 'charge.success', data: describe(transaction) });
  const signature = createHmac('sha512', secretKey).update(body).digest('hex');
  for (let attempt = 1; attempt <= DELIVERIES; attempt += 1) {
    const { ok } = await deliver(body, signature).catch(() => ({ ok: false }));
    if (ok) return;
  }
}

/** As Paystack writes a transaction. */
const describe = ({ id, reference, amount, currency, status, paidAt }: SandboxTransaction) => ({
  id,
  domain: 'test',
  status,
  reference,
  amount,
  currency,
  channel: 'card',
  gateway_response: status === 'failed' ? 'Declined' : status === 'success' ? 'Approved' : 'Not completed',
  paid_at: paidAt,
});

async function readJson(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    size += chunk.length;
    if (size > MAX_BODY) return undefined;
    chunks.push(chunk);
  }
  return parsedJson(Buffer.concat(chunks).toString('utf8'));
}

async function answer(reply: Promise<Reply>, response: ServerResponse) {
  const { status, body } = await reply.catch(() => refuse(500, 'The sandbox failed.'));
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

/** Listens on a free loopback port once somebody asks for the address. */
function listenLazily(handle: (request: IncomingMessage, response: ServerResponse) => void) {
  let server: Server | undefined;
  let address: Promise<string> | undefined;
  const listen = () =>
    new Promise<string>((done, fail) => {
      server = createServer(handle);
      // Not once: a connection that can't be accepted is an error too.
      server.on('error', fail);
      server.listen(0, '127.0.0.1', () => {
        const at = server?.address();
        done(`http://127.0.0.1:${typeof at === 'object' && at !== null ? at.port : 0}`);
      });
      server.unref();
    });
  return {
    url: () => (address ??= listen()),
    close: () =>
      new Promise<void>((done) => {
        if (server === undefined) return done();
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
}
