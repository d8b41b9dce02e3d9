import { request } from 'node:http';
import { createServer } from 'node:https';
import type { BrowserContext } from '@playwright/test';
import { type FakePaystack, startFakePaystack, TEST_KEYS } from '../server/src/testing/fake-paystack.ts';
import { listen, SELF_SIGNED } from '../server/src/testing/listen.ts';
import { type Server, startServer } from './server.ts';

/** Paystack's frame as the library knows it: each button says what the real one would. */
const FRAME = `<!doctype html><title>Simulated Paystack</title><body style="background:#fff">
<h1>Simulated Paystack</h1><p id="code"></p><script>
let reference = '';
const send = (event, data = {}) => parent.postMessage({ event, data }, '*');
const say = {
  Loaded: () => send('loaded:transaction', { id: 1, customer: {}, accessCode: reference }),
  Success: () => send('success', { reference, status: 'success', message: 'Approved', trans: 1, transaction: 1, trxref: reference }),
  Close: () => send('close', { status: 'abandoned' }),
  Cancel: () => send('cancel'),
  Pending: () => send('transfer:pending', { status: 'pending' }),
  Error: () => send('error', { type: 'setup', message: 'no' }),
  'Other error': () => send('error', { type: 'charge', message: 'declined' }),
  Nonsense: () => { for (const data of [null, 7, 'PaystackClose x', { event: 'unknown' }, {}]) parent.postMessage(data, '*'); },
};
for (const [name, speak] of Object.entries(say)) {
  const button = Object.assign(document.createElement('button'), { textContent: name, onclick: speak });
  document.body.append(button);
}
addEventListener('message', ({ data }) => {
  if (data?.type !== 'inline:url') return;
  reference = data.params.accessCode;
  document.getElementById('code').textContent = reference;
  say.Loaded();
});
send('loaded:checkout');
</script>`;

const anyone = { 'access-control-allow-origin': '*', 'access-control-allow-headers': '*' };

/** Puts a simulator in the place of Paystack's hosts. `charge` is what an Apple Pay charge answers. */
export async function simulatePaystack(
  context: BrowserContext,
  charge = () => ({ status: 'error', message: 'declined' }),
) {
  await context.route('https://checkout.paystack.com/**', (route) =>
    route.fulfill({ contentType: 'text/html', body: FRAME }),
  );
  await context.route('https://api.paystack.co/**', (route) => {
    const code = /verify_access_code\/(.+)$/u.exec(route.request().url())?.[1];
    const data = {
      id: 1,
      access_code: code,
      transaction_status: 'abandoned',
      merchant_key: TEST_KEYS.open,
      merchant_name: 'Atelier',
      channels: ['card', 'apple_pay'],
      currency: 'ZAR',
      amount: 27_500,
      log: null,
    };
    return route.fulfill({ headers: anyone, json: { status: true, message: 'ok', data } });
  });
  await context.route('https://standard.paystack.co/**', (route) => {
    const charged = route.request().url().includes('charge');
    return route.fulfill({
      headers: anyone,
      json: charged ? charge() : { status: 'success', message: 'ok', data: {} },
    });
  });
}

/** A server with test keys whose provider is ours. */
export async function startShop(
  settings: Record<string, string> = {},
): Promise<{ server: Server; paystack: FakePaystack }> {
  const paystack = await startFakePaystack();
  const keys = { PAYSTACK_SECRET_KEY: TEST_KEYS.secret, PAYSTACK_PUBLIC_KEY: TEST_KEYS.open };
  const server = await startServer({ ...paystack.env, ...keys, ...settings });
  return { server, paystack };
}

/** The same server over https, which Apple Pay wants. */
export async function overHttps(target: string) {
  const proxy = createServer(SELF_SIGNED, (incoming, outgoing) => {
    const { method, headers, url } = incoming;
    const onward = request(new URL(url ?? '/', target), { method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    onward.on('error', () => outgoing.destroy());
    outgoing.on('close', () => onward.destroy());
    incoming.pipe(onward);
  });
  const { port, close } = await listen(proxy);
  return { url: `https://localhost:${port}`, close };
}
